/**
 * Reads a thousand mutated files of the documents' corpus, twice. Fails if one ends in anything but its text or a clear
 * error, takes too long, or if threads, handles or memory are left behind.
 *
 *     npm run fuzz:documents [-- --count 1000 --seed 1]
 */
import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { type FuzzedFile, fuzz } from '../../packages/documents/src/testing/fuzz.ts'

const { values } = parseArgs({
  options: { count: { type: 'string', default: '1000' }, seed: { type: 'string', default: '1' } },
})
const [count, seed] = [Number(values.count), Number(values.seed)]
/** The longest that a file may take: twice the limit without a text, and the start of a thread. */
const mostSeconds = 60
/** Memory that may be in use afterwards, beyond that after the first files. */
const mostGrowthMegabytes = 16
/**
 * Resident memory of the second reading beyond that of the first. One greedy file raises it for good, since the allocator
 * keeps what its thread frees; the same files again raise it only if something leaks.
 */
const mostResidentGrowthMegabytes = 64
const warmUp = 40

const folder = mkdtempSync(join(tmpdir(), 'memagent-fuzz-'))
const unhandled: unknown[] = []
process.on('unhandledRejection', (reason) => unhandled.push(reason))
process.on('uncaughtException', (error) => unhandled.push(error))

await fuzz({ count: warmUp, seed: seed - warmUp, folder })
const before = await leftovers()
let slowest = { path: '', origin: '', seconds: 0 }
const [first, second] = [await reading('first'), await reading('second')]
const after = await leftovers()

for (const [outcome, times] of [...first.outcomes].sort(([, a], [, b]) => b - a))
  console.log(`${times} ${outcome}`)
const broken = [...first.broken, ...second.broken]
for (const { path, origin, outcome } of broken)
  console.log(`NOT PROMISED: ${path} (from ${origin}): ${outcome}`)
console.log(`slowest: ${slowest.seconds.toFixed(1)} s, ${slowest.path} (from ${slowest.origin})`)
console.log(`before: ${JSON.stringify(before)}\nafter:  ${JSON.stringify(after)}`)
console.log(
  `most resident: ${first.peakMegabytes} MiB in the first reading, ${second.peakMegabytes} in the second`,
)
// From here on, failures end the process.
process.removeAllListeners('unhandledRejection')
process.removeAllListeners('uncaughtException')
assert.deepEqual(broken, [])
assert.deepEqual(unhandled, [])
assert.ok(slowest.seconds < mostSeconds, 'a file took too long')
assert.ok(after.threads <= before.threads, 'threads are left')
assert.ok(after.files <= before.files, 'files are left open')
assert.deepEqual(after.handles, before.handles)
assert.ok(after.heapMegabytes - before.heapMegabytes < mostGrowthMegabytes, 'memory is left')
assert.ok(second.peakMegabytes - first.peakMegabytes < mostResidentGrowthMegabytes, 'memory piles up')
rmSync(folder, { recursive: true })
console.log(`${count} files, twice: each was read or refused, and nothing is left.`)

async function reading(name: string) {
  let [done, peakMegabytes] = [0, 0]
  const onFile = (file: FuzzedFile) => {
    if (file.seconds > slowest.seconds) slowest = file
    if (file.isPromised && file.seconds < mostSeconds) rmSync(file.path)
    peakMegabytes = Math.max(peakMegabytes, Math.round(process.memoryUsage.rss() / 2 ** 20))
    if (++done % 100 === 0) console.log(`${name} reading, ${done} files: ${JSON.stringify(memoryInUse())}`)
  }
  return { ...(await fuzz({ count, seed, folder, onFile })), peakMegabytes }
}

/** Once idle threads have ended. Threads and open files are counted on Linux only. */
async function leftovers() {
  await wait(5000)
  const entries = (path: string) => (existsSync(path) ? readdirSync(path).length : 0)
  return {
    threads: entries('/proc/self/task'),
    files: entries('/proc/self/fd'),
    handles: process
      .getActiveResourcesInfo()
      .filter((name) => name !== 'Timeout')
      .sort(),
    ...memoryInUse(),
  }
}

/** After a garbage collection. Resident memory includes all threads. */
function memoryInUse() {
  globalThis.gc?.()
  const { heapUsed, external, rss } = process.memoryUsage()
  return {
    heapMegabytes: Math.round((heapUsed + external) / 2 ** 20),
    residentMegabytes: Math.round(rss / 2 ** 20),
  }
}
