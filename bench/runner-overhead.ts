/**
 * What the benchmark runner costs beside the model, recorded in `bench/results/runner-overhead.json`:
 *
 *     npm run bench:runner [-- --samples 2000 --tokens 64000]
 *
 * The model answers at once. Twice (wall-clock time - time inside the model) / calls, one sample at a time, with a record on
 * disk: once with one call per sample on a ready document, which leaves the runner alone; and once as in a real benchmark,
 * with documents that are made, cut into the bundled model's chunks and counted.
 */
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type BenchPlan, createMethod, type Method, runBenchmark } from '@memagent/bench'
import {
  type ChatModel,
  createHuggingFaceTokenizer,
  createTextDocument,
  type ModelProfile,
} from '@memagent/core'
import { installedProse, type Task, tasks } from '@memagent/tasks'
import { machine, record } from './recording.ts'

const { values: options } = parseArgs({
  options: {
    samples: { type: 'string', default: '2000' },
    tokens: { type: 'string', default: '64000' },
  },
})
const root = join(import.meta.dirname, '..')
const readJson = (path: string) => JSON.parse(readFileSync(join(root, path), 'utf8'))
const tokenizer = createHuggingFaceTokenizer(readJson('models/nano/tokenizer.json'))
const profile: ModelProfile = readJson('models/nano/profile.json')

/** The bundled model's tokenizer and window, and an answer at once; counts the time spent in it. */
class InstantModel implements ChatModel {
  readonly name = 'instant'
  readonly tokenizer = tokenizer
  readonly profile = profile
  calls = 0
  ms = 0

  async generate(): ReturnType<ChatModel['generate']> {
    const startMs = performance.now()
    this.calls++
    const text = `\\boxed{${4000 + (this.calls % 5)}}`
    const usage = { promptTokens: 256, completionTokens: 8 }
    this.ms += performance.now() - startMs
    return { text, usage, finishReason: { unified: 'stop', raw: 'stop' } }
  }
}

const document = createTextDocument('The code of the north gate is 48213.', 'gate')
const readyTask: Task = {
  name: 'ready',
  sample: async ({ index }) => ({
    id: `ready/${index}`,
    question: `What is code ${index}?`,
    document,
    references: ['48213'],
    match: 'any',
    evidence: [{ startByte: 30, endByte: 35 }],
    labels: { depth: 1 },
  }),
  score: (_, answer) => ({ strict: answer === '48213' ? 1 : 0 }),
}
const oneCall: Method = {
  name: 'one-call',
  description: 'one call, and nothing else',
  async answer({ model, question, signal }) {
    const messages = [{ role: 'user', content: question }] as const
    const { text, usage } = await model.generate(messages, { maxTokens: 8, signal })
    return {
      answer: { text, outcome: 'found' },
      usage: { calls: 1, ...usage!, modelMs: 0 },
      trace: [],
      steps: 1,
    }
  },
  estimate: () => ({ calls: 1, promptTokens: 256, completionTokens: 8 }),
}

async function measure(parts: Pick<BenchPlan, 'tasks' | 'methods'>) {
  const folder = mkdtempSync(join(tmpdir(), 'memagent-bench-'))
  const output = join(folder, 'record.jsonl')
  const model = new InstantModel()
  const [cpuStart, wallStart] = [process.cpuUsage(), performance.now()]
  const summary = await runBenchmark({ ...parts, model, output, concurrency: 1 })
  const wallMs = performance.now() - wallStart
  const { user, system } = process.cpuUsage(cpuStart)
  const recordBytes = statSync(output).size
  rmSync(folder, { recursive: true })
  return {
    samples: summary.samples,
    failed: summary.failed,
    calls: model.calls,
    wallSeconds: round(wallMs / 1000),
    modelMsPerCall: round(model.ms / model.calls, 5),
    overheadMsPerCall: round((wallMs - model.ms) / model.calls),
    /** Processor time of all threads: what it takes when nothing else wants the processor. */
    cpuMsPerCall: round((user + system) / 1000 / model.calls),
    recordBytesPerSample: Math.round(recordBytes / summary.samples),
  }
}

const before = machine()
const prose = await installedProse()
const samples = Number(options.samples)
const lengthTokens = Number(options.tokens)
// Once to warm up.
const runner = () =>
  measure({
    tasks: [{ name: 'ready', task: readyTask, lengths: [{ lengthTokens: 8, samples }] }],
    methods: [{ method: oneCall }],
  })
await runner()
const alone = await runner()
const reader = await measure({
  tasks: [
    {
      name: 'facts-in-prose',
      task: await tasks['facts-in-prose']({ prose }),
      lengths: [{ lengthTokens, samples: 8 }],
    },
  ],
  methods: [{ method: await createMethod('overwrite'), workflow: 'overwrite' }],
})
const isRight =
  [alone, reader].every(({ failed, overheadMsPerCall }) => failed === 0 && overheadMsPerCall < 2) &&
  alone.calls === samples
const result = {
  date: new Date().toISOString(),
  machine: before,
  runnerAlone: alone,
  withReader: { lengthTokens, budget: profile.budget, ...reader },
  isRight,
}
record('runner-overhead', result)
console.log(JSON.stringify(result, null, 2))
if (!isRight) process.exitCode = 1

function round(value: number, digits = 3): number {
  return Math.round(value * 10 ** digits) / 10 ** digits
}
