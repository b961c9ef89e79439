/**
 * What it costs that threads of the runtime wait for each other in one way or another, recorded under a name of the
 * machine's state in `bench/results/waiting-threads.json`:
 *
 *     npm run bench:waiting -- --as quiet
 *     chrt --fifo 10 npm run bench:waiting -- --as "quiet by real-time priority"
 *     npm run bench:waiting -- --as busy --competitors 2
 *
 * All ways take turns in every round, and each is told as the ratio to the runtime's own default in the same round, of
 * wall-clock time and of processor time. What is computed must be the same in all of them, to the bit.
 */
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism, cpus, loadavg } from 'node:os'
import { join } from 'node:path'
import { isDeepStrictEqual, parseArgs } from 'node:util'
import { loadModelFolder, TextGenerator, TrainingSession } from '@memagent/engine'
import { InferenceSession } from '../packages/engine/src/onnx/runtime.ts'

const { values: options } = parseArgs({
  options: {
    as: { type: 'string' },
    rounds: { type: 'string', default: '15' },
    /** Processes that compute all the time. */
    competitors: { type: 'string', default: '0' },
  },
})
if (options.as === undefined) throw new Error('Say what the machine is like: --as quiet or --as busy.')

const intraOp = (settings: Record<string, string>) => ({ session: { intra_op: settings } })
/** The first is what the others are compared with. */
const ways = {
  'default of the runtime': { threads: 2, extra: {} },
  'spin for 20 us': { threads: 2, extra: intraOp({ spin_duration_us: '20' }) },
  'spin for 100 us': { threads: 2, extra: intraOp({ spin_duration_us: '100' }) },
  'no spinning': { threads: 2, extra: intraOp({ allow_spinning: '0' }) },
  'one thread': { threads: 1, extra: {} },
}
let way: (typeof ways)[keyof typeof ways]
const create = InferenceSession.create.bind(InferenceSession) as (
  ...args: unknown[]
) => Promise<InferenceSession>
Object.assign(InferenceSession, {
  create: (model: Uint8Array, settings: object) =>
    create(model, { ...settings, intraOpNumThreads: way.threads, extra: way.extra }),
})

const folder = await loadModelFolder(join(import.meta.dirname, '../models/nano'))
const tokensOf = (seed: number, length: number) =>
  Array.from({ length }, (_, i) => (seed * 7919 + i * 104_729 + i * i) % 8000)

/** Reads four prompts of a section's length, each with a draft that does not hold, as between two facts. */
async function reading() {
  const generator = await TextGenerator.create(folder.config, folder.weights, { precision: 'int8' })
  return (round: number) =>
    generator.generate(
      [0, 1, 2, 3].map((i) => ({
        promptTokens: tokensOf(4 * round + i, 420),
        draftTokens: tokensOf(i, 12),
        maxTokens: 24,
        stopTokens: [],
      })),
    )
}

/** One forward and backward pass over two rows. */
async function training() {
  const weights = new Map([...folder.weights].map(([name, values]) => [name, values.slice()]))
  const session = await TrainingSession.create(folder.config, weights)
  const [rows, rowLength, targets] = [2, 320, 64]
  const size = rows * rowLength
  return async (round: number) => {
    const { loss } = await session.forwardBackward({
      rows,
      rowLength,
      tokens: Int32Array.from(tokensOf(round, size)),
      positions: Int32Array.from({ length: size }, (_, i) => i % rowLength),
      group: new Int32Array(size),
      branch: new Int32Array(size),
      targetRows: Int32Array.from({ length: targets }, (_, i) => 4 * i),
      targets: Int32Array.from(tokensOf(round + 1, targets)),
      coefficients: new Float32Array(targets).fill(1 / targets),
    })
    return loss
  }
}

interface Cost {
  readonly wallMs: number
  readonly cpuMs: number
}
async function measured<T>(work: () => Promise<T>): Promise<Cost & { readonly result: T }> {
  const [start, before] = [performance.now(), process.cpuUsage()]
  const result = await work()
  const { user, system } = process.cpuUsage(before)
  return { result, wallMs: performance.now() - start, cpuMs: (user + system) / 1000 }
}

const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[values.length >> 1]!
const rounded = (value: number) => Number(value.toPrecision(3))

async function compare(prepare: () => Promise<(round: number) => Promise<unknown>>) {
  const runs: { name: string; run: (round: number) => Promise<unknown>; costs: Cost[] }[] = []
  for (const name of Object.keys(ways) as (keyof typeof ways)[]) {
    way = ways[name]
    const run = await prepare()
    // Sessions are made, and memory is taken, in the first calls.
    for (let round = 0; round < 2; round++) await run(round)
    runs.push({ name, run, costs: [] })
  }
  for (let round = 0; round < Number(options.rounds); round++) {
    const results: unknown[] = []
    for (const { name, run, costs } of round % 2 === 0 ? runs : runs.toReversed()) {
      const { result, ...cost } = await measured(() => run(round))
      costs.push(cost)
      if (ways[name as keyof typeof ways].threads === 2) results.push(result)
    }
    if (results.some((result) => !isDeepStrictEqual(result, results[0]))) throw new Error('Results differ.')
  }
  const base = runs[0]!.costs
  return Object.fromEntries(
    runs.map(({ name, costs }) => [
      name,
      {
        wallMs: rounded(median(costs.map(({ wallMs }) => wallMs))),
        cpuMs: rounded(median(costs.map(({ cpuMs }) => cpuMs))),
        wallRatio: rounded(median(costs.map(({ wallMs }, i) => wallMs / base[i]!.wallMs))),
        cpuRatio: rounded(median(costs.map(({ cpuMs }, i) => cpuMs / base[i]!.cpuMs))),
      },
    ]),
  )
}

const competitors = Array.from({ length: Number(options.competitors) }, () =>
  spawn(process.execPath, ['--eval', 'for (;;);'], { stdio: 'ignore' }),
)
const before = loadavg()[0]!
const result = {
  date: new Date().toISOString(),
  machine: { cpu: cpus()[0]!.model, cores: availableParallelism(), node: process.version },
  competitors: competitors.length,
  loadBefore: rounded(before),
  rounds: Number(options.rounds),
  reading: await compare(reading),
  training: await compare(training),
}
for (const competitor of competitors) competitor.kill()
mkdirSync(join(import.meta.dirname, 'results'), { recursive: true })
const file = join(import.meta.dirname, 'results/waiting-threads.json')
const known = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}
writeFileSync(file, `${JSON.stringify({ ...known, [options.as]: result }, null, 2)}\n`)
console.log(JSON.stringify(result, null, 2))
process.exit()
