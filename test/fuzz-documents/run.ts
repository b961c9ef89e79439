/**
 * Reads a thousand mutated files of the documents' corpus. Fails if one ends in anything but its text or a clear error,
 * takes too long, or if threads, handles or memory are left behind.
 *
 *     npm run fuzz:documents [-- --count 1000 --seed 1]
 */
import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { fuzz } from '../../packages/documents/src/testing/fuzz.ts'

const { values } = parseArgs({
  options: { count: { type: 'string', default: '1000' }, seed: { type: 'string', default: '1' } },
})
const [count, seed] = [Number(values.count), Number(values.seed)]
/** What a reading may take at the very most: the limit without a text, twice, and the start of a thread. */
const mostSeconds = 60
/** Memory that may be in use afterwards beyond that after the first files. */
const mostGrowthMegabytes = 64
const warmUp = 40

const folder = mkdtempSync(join(tmpdir(), 'memagent-fuzz-'))
const unhandled: unknown[] = []
process.on('unhandledRejection', (reason) => unhandled.push(reason))
process.on('uncaughtException', (error) => unhandled.push(error))

await fuzz({ count: warmUp, seed: seed - warmUp, folder })
const before = await leftovers()
let slowest = { path: '', origin: '', seconds: 0 }
let done = 0
const { outcomes, broken } = await fuzz({
  count,
  seed,
  folder,
  onFile(file) {
    if (file.seconds > slowest.seconds) slowest = file
    if (file.isPromised && file.seconds < mostSeconds) rmSync(file.path)
    if (++done % 100 === 0) console.log(`${done} files`)
  },
})
const after = await leftovers()

for (const [outcome, times] of [...outcomes].sort(([, a], [, b]) => b - a)) console.log(`${times} ${outcome}`)
for (const { path, origin, outcome } of broken)
  console.log(`NOT PROMISED: ${path} (from ${origin}): ${outcome}`)
console.log(`slowest: ${slowest.seconds.toFixed(1)} s, ${slowest.path} (from ${slowest.origin})`)
console.log(`before: ${JSON.stringify(before)}\nafter:  ${JSON.stringify(after)}`)
assert.deepEqual(broken, [])
assert.deepEqual(unhandled, [])
assert.ok(slowest.seconds < mostSeconds, 'a file took too long')
assert.ok(after.threads <= before.threads, 'threads are left')
assert.ok(after.files <= before.files, 'files are left open')
assert.deepEqual(after.handles, before.handles)
assert.ok(after.heapMegabytes - before.heapMegabytes < mostGrowthMegabytes, 'memory is left')
assert.ok(after.residentMegabytes - before.residentMegabytes < 4 * mostGrowthMegabytes, 'memory is left')
rmSync(folder, { recursive: true })
console.log(`${count} files: each was read or refused, and nothing is left.`)

/** Once idle threads have ended. Threads and open files are counted on Linux only. */
async function leftovers() {
  await wait(5000)
  globalThis.gc?.()
  const entries = (path: string) => (existsSync(path) ? readdirSync(path).length : 0)
  const { heapUsed, arrayBuffers, rss } = process.memoryUsage()
  return {
    threads: entries('/proc/self/task'),
    files: entries('/proc/self/fd'),
    handles: process
      .getActiveResourcesInfo()
      .filter((name) => name !== 'Timeout')
      .sort(),
    heapMegabytes: Math.round((heapUsed + arrayBuffers) / 2 ** 20),
    residentMegabytes: Math.round(rss / 2 ** 20),
  }
}
