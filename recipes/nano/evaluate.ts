/**
 * Evaluates the bundled model on documents of up to 3.5 million tokens, among decoys, on prose, names, values and (half of
 * the time) templates that no training step saw. One JSON line per document; a run that was stopped goes on where it stopped.
 *
 *   npm run evaluate:nano -- --prose FOLDER [--model models/nano] [--lengths 200000,1000000,3500000] [--parallel 4]
 */
import { appendFile, mkdir, readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { parseArgs } from 'node:util'
import { MemAgentError, readDocument } from '@memagent/core'
import { createEmbeddedChatModel } from '@memagent/engine'
import {
  containsReference,
  createFactsInProse,
  createNeedlesInProse,
  installedProse,
  proseFromFolder,
  type Sample,
  type Task,
} from '@memagent/tasks'

const { values: options } = parseArgs({
  options: {
    prose: { type: 'string' },
    model: { type: 'string', default: 'models/nano' },
    lengths: { type: 'string', default: '200000,1000000,3500000' },
    parallel: { type: 'string', default: '4' },
    output: { type: 'string', default: 'recipes/nano/results/evaluation.jsonl' },
    seeds: { type: 'string' },
  },
})

const seedsOf = (length: number) =>
  options.seeds ? Number(options.seeds) : length >= 3_000_000 ? 10 : length >= 1_000_000 ? 40 : 100
/** At 200,000 tokens, so that more than 200 questions of all lengths are about held-out templates. */
const heldOutSeeds = options.seeds ? Number(options.seeds) : 180

export interface EvaluationRecord {
  readonly key: string
  readonly task: string
  readonly lengthTokens: number
  readonly seed: number
  readonly tokens: number
  readonly bytes: number
  readonly labels: Sample['labels']
  readonly question: string
  readonly references: readonly string[]
  readonly answer: string
  readonly found: boolean
  readonly memory: string
  readonly strict: number
  readonly lenient: number
  readonly steps: number
  readonly keptMemories: number
  /** Rewrites with the right value in the memory before, and how many of them lost it. */
  readonly heldRewrites: number
  readonly losses: number
  /** The step whose memory first held the right value; undefined when none did. */
  readonly capturedAt: number | undefined
  /** The first wrong value that the memory held, if any. */
  readonly wrongMemory: string | undefined
  readonly seconds: number
  readonly error?: string
}

const model = await createEmbeddedChatModel({ folder: options.model })
const tokenizer = model.tokenizer!
const prose = options.prose ? await proseFromFolder(options.prose) : await installedProse()
/** Eight facts of the same kind per 200,000 tokens, half of them sharing a name with the one asked for. */
const facts = createFactsInProse({ prose })
const heldOut = createFactsInProse({ prose, templates: 'held-out' })
/** What the decoys cost. */
const withoutDecoys = createFactsInProse({ prose, decoysPer200k: 0 })
const needles = createNeedlesInProse({ prose })

interface Job {
  readonly key: string
  readonly task: Task
  readonly lengthTokens: number
  readonly seed: number
}
const jobs: Job[] = options.lengths
  .split(',')
  .map(Number)
  .flatMap((lengthTokens) => {
    const seeds = Array.from({ length: seedsOf(lengthTokens) }, (_, i) => i + 1)
    const job = (name: string, task: Task, seed: number) => ({
      key: `${name}/${lengthTokens}/${seed}`,
      task,
      lengthTokens,
      seed,
    })
    const more = (count: number) => Array.from({ length: count }, (_, i) => i + 1)
    return [
      ...seeds.map((seed) => job('facts', facts, seed)),
      ...(lengthTokens === 200_000
        ? [
            ...more(heldOutSeeds).map((seed) => job('held-out', heldOut, 1000 + seed)),
            ...seeds.slice(0, 20).map((seed) => job('needles', needles, seed)),
            ...seeds.slice(0, 40).map((seed) => job('without-decoys', withoutDecoys, 2000 + seed)),
          ]
        : []),
    ]
  })

await mkdir(dirname(options.output), { recursive: true })
const finished = new Set(
  (await readFile(options.output, 'utf8').catch(() => ''))
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => (JSON.parse(line) as EvaluationRecord).key),
)
const open = jobs.filter(({ key }) => !finished.has(key))
const interruption = new AbortController()
process.once('SIGINT', () => interruption.abort(new Error('interrupted')))
process.stderr.write(`${finished.size} documents are recorded, ${open.length} to go; prose: ${prose.name}\n`)

async function evaluate({ key, task, lengthTokens, seed }: Job): Promise<EvaluationRecord> {
  const countTokens = (text: string) => tokenizer.count(text) as number
  const sample = await task.sample({ index: 0, seed, lengthTokens, countTokens })
  const holds = (memory: string) =>
    sample.references.some((reference) => containsReference(memory, reference))
  let [heldRewrites, losses, steps, tokens, bytes, keptMemories, seconds] = [0, 0, 0, 0, 0, 0, 0]
  let [answer, memory, found] = ['', '', false]
  let [capturedAt, wrongMemory, error]: [number | undefined, string | undefined, string | undefined] = [
    undefined,
    undefined,
    undefined,
  ]
  try {
    for await (const event of readDocument({
      question: sample.question,
      document: sample.document,
      model,
      signal: interruption.signal,
    })) {
      if (event.type === 'memory-end') {
        const [before, after] = [holds(event.previous), holds(event.memory)]
        if (before) heldRewrites++
        if (before && !after) losses++
        if (after) capturedAt ??= event.step
        else if (event.memory.trim() !== '') wrongMemory ??= event.memory
      } else if (event.type === 'answer') {
        ;({ steps, seconds, memory } = event)
        answer = event.answer.text
        found = event.answer.found
        tokens = event.usage.chunkTokens
        bytes = event.usage.bytes
        keptMemories = event.usage.keptMemories
      }
    }
  } catch (cause) {
    interruption.signal.throwIfAborted()
    // A failed reading is a wrong answer, and is recorded as one.
    error = MemAgentError.isInstance(cause) ? `${cause.code}: ${cause.message}` : String(cause)
  }
  const score = error ? { strict: 0, lenient: 0 } : task.score(sample, found ? answer : undefined)
  return {
    key,
    task: task.name,
    lengthTokens,
    seed,
    tokens,
    bytes,
    labels: sample.labels,
    question: sample.question,
    references: sample.references,
    answer,
    found,
    memory,
    strict: score.strict!,
    lenient: score.lenient!,
    steps,
    keptMemories,
    heldRewrites,
    losses,
    capturedAt,
    wrongMemory,
    seconds,
    ...(error ? { error } : {}),
  }
}

const startMs = Date.now()
let done = 0
async function work(): Promise<void> {
  for (let job = open.shift(); job && !interruption.signal.aborted; job = open.shift()) {
    const record = await evaluate(job)
    await appendFile(options.output, `${JSON.stringify(record)}\n`)
    done++
    const rate = done / ((Date.now() - startMs) / 60_000)
    process.stderr.write(
      `${record.key}: ${record.strict === 1 ? 'right' : 'wrong'} (${record.answer || 'not in the text'}; wanted ${record.references.join(', ') || 'not in the text'}), ${Math.round(record.tokens / record.seconds)} tokens/s; ${open.length} to go, ${(open.length / rate).toFixed(0)} min\n`,
    )
  }
}
try {
  await Promise.all(Array.from({ length: Number(options.parallel) }, work))
} catch (cause) {
  if (!interruption.signal.aborted) throw cause
  process.stderr.write('Interrupted; run the same command again to go on.\n')
  process.exitCode = 130
} finally {
  await model.close?.()
}
