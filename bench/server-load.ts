/**
 * What `memagent serve` does under load, recorded in `bench/results/server-load.json`:
 *
 *     npm run bench:server [-- --seconds 60 --clients 200 --pairs 2000]
 *
 * The real command, with a store and eight keys, over a model server that replies at once. First one client asks short
 * conversations directly and through the server in turns, which gives the overhead; then many clients ask at once, and every
 * answer is checked. It fails if an answer is lost or belongs to another request, or if memory keeps growing.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import { createKey, hashOfKey } from '@memagent/server'
import { openRunStore } from '@memagent/store'
import { machine, record } from './recording.ts'
import { load } from './server-load/load.ts'
import { measureOverhead } from './server-load/overhead.ts'

const { values: options } = parseArgs({
  options: {
    seconds: { type: 'string', default: '60' },
    clients: { type: 'string', default: '200' },
    pairs: { type: 'string', default: '2000' },
  },
})
const seconds = Number(options.seconds)
const clients = Number(options.clients)
const root = join(import.meta.dirname, '..')
const folder = mkdtempSync(join(tmpdir(), 'server-load-'))
const location = join(folder, 'runs.sqlite')
const node = (script: string, ...args: string[]): ChildProcess =>
  spawn(process.execPath, ['--conditions=@memagent/source', join(root, script), ...args], {
    stdio: ['pipe', 'pipe', 'pipe'],
  })

/** What the first matching line of a process holds. @throws Error with what it wrote instead */
async function lineOf(child: ChildProcess, stream: 'stdout' | 'stderr', wanted: RegExp): Promise<string> {
  const said: string[] = []
  for await (const line of createInterface({ input: child[stream]! })) {
    const found = wanted.exec(line)?.[1]
    if (found !== undefined) {
      child[stream]!.resume()
      return found
    }
    said.push(line)
  }
  throw new Error(said.join('\n'))
}

const keys = Array.from({ length: 8 }, createKey)
const store = await openRunStore(location)
for (const [i, key] of keys.entries()) await store.keys.add(`team ${i}`, hashOfKey(key))
await store.close()

const stub = node('bench/server-load/stub.ts')
const stubUrl = await lineOf(stub, 'stdout', /(http\S+)/)
const server = node(
  'packages/cli/src/bin.ts',
  ...['serve', '--port', '0', '--store', location, '--no-config'],
  ...['--model', 'openai:stub', '--base-url', stubUrl],
  ...['--window', '1000', '--question-budget', '60', '--chunk', '300', '--memory', '60', '--output', '60'],
)
const baseUrl = await lineOf(server, 'stderr', /answers at (http:\S+\/v1)/)

const rssMiB = (): number =>
  Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8'))![1]) / 1024)

const overhead = await measureOverhead(
  { baseUrl: stubUrl, model: 'stub' },
  { baseUrl, model: 'stub', key: keys[0] },
  Number(options.pairs),
)
console.log(JSON.stringify(overhead))

const rss = [rssMiB()]
const sampling = setInterval(() => rss.push(rssMiB()), 1000)
const endMs = performance.now() + 1000 * seconds
const result = await load({ baseUrl, model: 'stub', clients, keys, isOver: () => performance.now() > endMs })
clearInterval(sampling)
const drainSeconds = Number(((performance.now() - endMs) / 1000).toFixed(1))
await new Promise((resolve) => setTimeout(resolve, 5000))
const settledMiB = rssMiB()
server.kill('SIGTERM')
const exitCode = await new Promise((resolve) => server.once('close', resolve))
stub.stdin!.end()

const third = Math.floor(rss.length / 3)
const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
const growth = mean(rss.slice(-third)) / mean(rss.slice(third, 2 * third))
const { faults, ...counts } = result
const recorded = {
  date: new Date().toISOString(),
  machine: machine(),
  overhead,
  clients,
  seconds,
  drainSeconds,
  ...counts,
  faults: faults.length,
  memoryMiB: {
    start: rss[0],
    everyTenSeconds: rss.filter((_, second) => second % 10 === 9),
    settled: settledMiB,
    lastThirdOverMiddleThird: Number(growth.toFixed(3)),
  },
  exitCode,
}
console.log(JSON.stringify({ ...recorded, faults: faults.slice(0, 20) }, undefined, 2))
if (seconds >= 60 && clients === 200) record('server-load', recorded)
rmSync(folder, { recursive: true })
const isFaulty = faults.length > 0 || exitCode !== 0 || growth > 1.25
process.exitCode = isFaulty ? 1 : 0
