/**
 * Whether a reading costs the same at any length, recorded in `bench/results/memory-and-time.json`:
 *
 *     npm run bench:memory [-- --model embedded:models/nano --tokens 3500000,35000 --runs 5]
 *
 * Peak memory (resident set) of whole processes that read a file of 3,500,000 tokens against 35,000, median of several
 * processes with fixed heap flags; and the time per chunk, last tenth over first tenth, within the long readings. The
 * default model is scripted in process, so that the reading loop itself is seen; `embedded:FOLDER` measures a model.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type ChatModel, createHuggingFaceTokenizer, type ModelProfile, readDocument } from '@memagent/core'
import { createFileCheckpointStore, createFileDocument } from '@memagent/core/node'
import { createEmbeddedChatModel } from '@memagent/engine'
import { createRandom, installedProse, plantInProse } from '@memagent/tasks'
import { tinyTokenizerJson } from '../packages/core/src/testing/tiny-tokenizer.ts'
import { inChild, machine, median, record } from './recording.ts'

const { values: options } = parseArgs({
  options: {
    model: { type: 'string', default: 'scripted' },
    tokens: { type: 'string', default: '3500000,35000' },
    runs: { type: 'string', default: '5' },
    read: { type: 'string' },
  },
})
const heapFlags = ['--max-old-space-size=32', '--max-semi-space-size=2']
const root = join(import.meta.dirname, '..')
const question = 'When was the lighthouse built?'

interface Reading {
  readonly peakBytes: number
  readonly steps: number
  readonly tokens: number
  /** Milliseconds per chunk, mean of ten tenths. */
  readonly tenths: readonly number[]
  readonly seconds: number
}

const mean = (numbers: readonly number[]) => numbers.reduce((sum, n) => sum + n, 0) / numbers.length
const megabytes = (bytes: number) => Math.round(bytes / 1e5) / 10

if (options.read) await readFileInChild(options.read)
else await measure()

async function openModel(): Promise<ChatModel> {
  const [kind, folder] = options.model.split(/:(.*)/s)
  if (kind === 'embedded') return createEmbeddedChatModel({ folder: join(root, folder!) })
  const file = join(root, 'models/nano/tokenizer.json')
  const tokenizer = createHuggingFaceTokenizer(
    existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : tinyTokenizerJson('smolLm'),
  )
  const profile: ModelProfile = {
    name: 'nano',
    budget: { window: 512, question: 64, chunk: 256, memory: 64, output: 64 },
    prompts: 'compact',
  }
  return {
    name: 'scripted',
    tokenizer,
    profile,
    countPromptTokens: (messages) => messages.reduce((sum, { content }) => sum + tokenizer.count(content), 0),
    async generate(messages) {
      const isUpdate = messages[0]!.content.includes('<section>')
      const section = messages[0]!.content.length
      // The memory differs from chunk to chunk, as a model's would.
      const text = isUpdate
        ? `The lighthouse was built in 1874; the last section had ${section} signs.`
        : '\\boxed{1874}'
      await new Promise((resolve) => setImmediate(resolve))
      return { text, usage: undefined, finishReason: { unified: 'stop', raw: undefined } }
    },
  }
}

async function readFileInChild(path: string): Promise<void> {
  const model = await openModel()
  const folder = mkdtempSync(join(tmpdir(), 'memagent-bench-'))
  const started = performance.now()
  const times: number[] = []
  for await (const event of readDocument({
    question,
    document: await createFileDocument(path),
    model,
    checkpoints: createFileCheckpointStore(join(folder, 'run.json')),
  })) {
    if (event.type === 'chunk-end') times.push(1000 * event.seconds)
    if (event.type === 'answer') {
      const tenth = Math.max(1, Math.floor(times.length / 10))
      const tenths = Array.from({ length: 10 }, (_, i) => mean(times.slice(i * tenth, (i + 1) * tenth)))
      const reading: Reading = {
        peakBytes: process.resourceUsage().maxRSS * 1024,
        steps: event.steps,
        tokens: event.usage.chunkTokens,
        tenths,
        seconds: (performance.now() - started) / 1000,
      }
      process.send!(reading)
    }
  }
  await model.close?.()
  rmSync(folder, { recursive: true })
  process.disconnect()
}

async function measure(): Promise<void> {
  const lengths = options.tokens.split(',').map(Number)
  const [long, short] = [Math.max(...lengths), Math.min(...lengths)]
  const model = await openModel()
  const prose = await installedProse()
  const folder = mkdtempSync(join(tmpdir(), 'memagent-bench-'))
  const readings = new Map<number, Reading[]>([
    [short, []],
    [long, []],
  ])
  try {
    for (const lengthTokens of [short, long]) {
      const { document } = plantInProse({
        name: 'prose',
        prose,
        plants: [{ text: 'The lighthouse was built in 1874.', depth: 0.02 }],
        lengthTokens,
        countTokens: (text) => model.tokenizer!.count(text) as number,
        random: createRandom('memory-and-time'),
      })
      const pieces = (async function* () {
        for await (const { text } of document.open()) yield text
      })()
      await writeFile(join(folder, `${lengthTokens}.txt`), pieces)
    }
    await model.close?.()
    // Alternating, so that other load on the machine affects both.
    for (let run = 0; run < Number(options.runs); run++) {
      for (const [lengthTokens, done] of readings) {
        const args = ['--read', join(folder, `${lengthTokens}.txt`), '--model', options.model]
        done.push(await inChild<Reading>(import.meta.filename, args, heapFlags))
        process.stderr.write(`${lengthTokens} tokens, run ${run + 1}: ${JSON.stringify(done.at(-1))}\n`)
      }
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
  const [longs, shorts] = [readings.get(long)!, readings.get(short)!]
  const [longPeak, shortPeak] = [longs, shorts].map((all) => median(all.map(({ peakBytes }) => peakBytes)))
  const differenceBytes = longPeak! - shortPeak!
  const allowedBytes = Math.max(0.05 * shortPeak!, 20e6)
  const ratios = longs.map(({ tenths }) => tenths.at(-1)! / tenths[0]!)
  const result = {
    date: new Date().toISOString(),
    machine: machine(),
    model: options.model,
    heapFlags,
    runs: Number(options.runs),
    peakMegabytes: {
      [long]: longs.map(({ peakBytes }) => megabytes(peakBytes)),
      [short]: shorts.map(({ peakBytes }) => megabytes(peakBytes)),
      medianLong: megabytes(longPeak!),
      medianShort: megabytes(shortPeak!),
      difference: megabytes(differenceBytes),
      allowed: megabytes(allowedBytes),
    },
    chunks: longs[0]!.steps,
    msPerChunkByTenth: longs.map(({ tenths }) => tenths.map((ms) => Math.round(ms * 1000) / 1000)),
    lastTenthOverFirst: {
      all: ratios.map((ratio) => Math.round(ratio * 1000) / 1000),
      median: Math.round(median(ratios) * 1000) / 1000,
    },
    secondsLong: median(longs.map(({ seconds }) => Math.round(seconds))),
  }
  const isFlat = differenceBytes <= allowedBytes && median(ratios) <= 1.05
  const name = options.model === 'scripted' ? 'memory-and-time' : 'memory-and-time-embedded'
  record(name, { ...result, isFlat })
  console.log(JSON.stringify({ ...result, isFlat }, null, 2))
  if (!isFlat) process.exitCode = 1
}
