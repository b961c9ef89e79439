/**
 * Seconds and peak memory (resident set) of generating and streaming one sample of each kind of haystack, each in a process of
 * its own, with the bundled model's tokenizer:
 *
 *     npm run bench:samples [-- --tokens 3500000 --tasks niah-single-1,common-words --count]
 *
 * `first` includes the one-time token counts, `second` is another sample of the same task. Questions and documents of the QA
 * tasks are made up, in files of the published formats and sizes. `--count` also counts the tokens of the streamed text. A
 * run of every task at the full length is recorded in `bench/results/sample-generation.json`.
 */
import { createWriteStream, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { parseArgs } from 'node:util'
import { createHuggingFaceTokenizer } from '@memagent/core'
import { type RulerTaskName, tasks } from '@memagent/tasks'
import { madeHotpotQa, madeSquad } from '../packages/tasks/src/testing/qa-files.ts'
import { inChild, machine, record } from './recording.ts'

const fullLength = 3_500_000
const everyTask =
  'niah-single-1,niah-single-2,niah-multikey-2,niah-multikey-3,variable-tracking,common-words,frequent-words,qa-squad,qa-hotpotqa'

const { values: options } = parseArgs({
  options: {
    tokens: { type: 'string', default: String(fullLength) },
    tasks: { type: 'string', default: everyTask },
    count: { type: 'boolean', default: false },
    task: { type: 'string' },
    path: { type: 'string' },
  },
})
const root = join(import.meta.dirname, '..')
const lengthTokens = Number(options.tokens)

interface Generation {
  readonly task: string
  /** Reading word lists, prose or questions. */
  readonly createSeconds: number
  readonly first: Timing
  readonly second: Timing
  readonly peakMegabytes: number
  readonly bytes: number
  /** Relative to the tokens asked for; with `--count` only. */
  readonly lengthRatio?: number
}

interface Timing {
  readonly sampleSeconds: number
  readonly streamSeconds: number
}

if (options.task) await generateInChild(options.task as RulerTaskName)
else await measure()

async function generateInChild(name: RulerTaskName): Promise<void> {
  const tokenizer = createHuggingFaceTokenizer(
    JSON.parse(readFileSync(join(root, 'models/nano/tokenizer.json'), 'utf8')),
  )
  const countTokens = (text: string) => tokenizer.count(text)
  const started = performance.now()
  const task = await tasks[name](options.path === undefined ? {} : { path: options.path })
  const createSeconds = secondsSince(started)
  const generate = async (index: number) => {
    const sampled = performance.now()
    const sample = await task.sample({ index, seed: 1, lengthTokens, countTokens })
    const streamed = performance.now()
    let bytes = 0
    for await (const piece of sample.document.open()) bytes += piece.lengthBytes
    if (bytes !== sample.document.sizeBytes)
      throw new Error(`${bytes} bytes, not ${sample.document.sizeBytes}`)
    const timing: Timing = {
      sampleSeconds: rounded((streamed - sampled) / 1000),
      streamSeconds: secondsSince(streamed),
    }
    return { sample, bytes, timing }
  }
  const first = await generate(0)
  const second = await generate(1)
  const peakMegabytes = Math.round(process.resourceUsage().maxRSS / 102.4) / 10
  let tokens = 0
  if (options.count) {
    for await (const { text } of first.sample.document.open()) tokens += countTokens(text)
  }
  const generation: Generation = {
    task: name,
    createSeconds,
    first: first.timing,
    second: second.timing,
    peakMegabytes,
    bytes: first.bytes,
    ...(options.count ? { lengthRatio: rounded(tokens / lengthTokens) } : {}),
  }
  process.send!(generation)
  process.disconnect()
}

async function measure(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'memagent-bench-'))
  const generations: Generation[] = []
  try {
    for (const task of options.tasks.split(',')) {
      const path = task.startsWith('qa-') ? join(folder, `${task}.json`) : undefined
      if (path !== undefined) await writeQuestions(task, path)
      const args = ['--task', task, '--tokens', options.tokens, ...(options.count ? ['--count'] : [])]
      const file = path === undefined ? [] : ['--path', path]
      const generation = await inChild<Generation>(import.meta.filename, [...args, ...file])
      console.log(JSON.stringify(generation))
      generations.push(generation)
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
  if (lengthTokens === fullLength && options.tasks === everyTask) {
    const date = new Date().toISOString()
    record('sample-generation', { date, machine: machine(), lengthTokens, generations })
  }
}

/** As many articles, paragraphs and questions as the development sets have. */
async function writeQuestions(task: string, path: string): Promise<void> {
  if (task === 'qa-squad') {
    await writeFile(path, JSON.stringify(madeSquad({ articles: 35, paragraphs: 34, sentences: 9 })))
    return
  }
  function* pieces() {
    let separator = '['
    for (const item of madeHotpotQa({ questions: 7405, sentences: 6 })) {
      yield separator + JSON.stringify(item)
      separator = ','
    }
    yield ']'
  }
  await pipeline(Readable.from(pieces()), createWriteStream(path))
}

function secondsSince(started: number): number {
  return rounded((performance.now() - started) / 1000)
}

function rounded(number: number): number {
  return Math.round(number * 1000) / 1000
}
