/**
 * Sends ten thousand malformed requests to every route of the server. Fails if one is answered with a failure of the server,
 * in another form than its protocol's, or not at all, or if the server does not answer valid ones afterwards.
 *
 *     npm run fuzz:server [-- --count 10000 --seed 1]
 */
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { fuzz } from './fuzz.ts'

const { values } = parseArgs({
  options: { count: { type: 'string', default: '10000' }, seed: { type: 'string', default: '1' } },
})
const [count, seed] = [Number(values.count), Number(values.seed)]
const unhandled: unknown[] = []
process.on('unhandledRejection', (reason) => unhandled.push(reason))
process.on('uncaughtException', (error) => unhandled.push(error))

/** Of the server and its clients: it stays below this, however many requests there are. */
const mostMebibytes = 1024
let highest = 0
const onReply = (done: number) => {
  if (done % 1000 !== 0) return
  const resident = Math.round(process.memoryUsage.rss() / 2 ** 20)
  highest = Math.max(highest, resident)
  console.log(`${done} requests, ${resident} MiB`)
}
const folder = await mkdtemp(join(tmpdir(), 'memagent-fuzz-'))
const { outcomes, broken, failures, valid } = await fuzz({ count, seed, folder, onReply }).finally(() =>
  rm(folder, { recursive: true, force: true }),
)
for (const [outcome, times] of [...outcomes].sort(([, a], [, b]) => b - a)) console.log(`${times} ${outcome}`)
for (const { seed: number, by, why } of broken) console.log(`NOT PROMISED: seed ${number} (${by}): ${why}`)
// From here on, failures end the process.
process.removeAllListeners('unhandledRejection')
process.removeAllListeners('uncaughtException')
assert.deepEqual(broken, [])
assert.deepEqual(failures, [])
assert.deepEqual(unhandled, [])
assert.ok(highest < mostMebibytes, `${highest} MiB are held`)
assert.ok(
  valid.every((status) => status === 200),
  `valid requests are answered with ${valid}`,
)
console.log(`${count} malformed requests: each was answered or refused, and the server goes on.`)
