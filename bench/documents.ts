/**
 * What reading documents takes, recorded in `bench/results/documents.json`:
 *
 *     npm run bench:documents [-- --runs 3 --gigabytes 1 --rounds 5]
 *
 * Memory: the peak of the resident memory of `memagent ask`, with its store, for a stream of 1 MB against one of 1 GB, and for
 * a few small files against 5,000, with a model that answers at once. Speed: loading and decoding, and cutting into chunks,
 * beside tokenizing the same text alone; ratios are medians of rounds in which each is done once.
 */
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { parseArgs } from 'node:util'
import { chunkDocument, createHuggingFaceTokenizer, paperProfile } from '@memagent/core'
import { openDocuments } from '@memagent/documents'
import { files, proseOf, proseStream, writeFolder } from './documents/texts.ts'
import { machine, median, record } from './recording.ts'

const { values: options } = parseArgs({
  options: {
    runs: { type: 'string', default: '3' },
    gigabytes: { type: 'string', default: '1' },
    rounds: { type: 'string', default: '5' },
    megabytes: { type: 'string', default: '4' },
  },
})
/** Beyond the peak at a megabyte. */
const allowedMegabytes = 20
const root = join(import.meta.dirname, '..')
const folder = mkdtempSync(join(tmpdir(), 'memagent-bench-'))
const rounded = (value: number) => Number(value.toPrecision(3))
const megabytes = (bytes: number) => Math.round(bytes / 1e5) / 10
const before = machine()

try {
  const [memory, speed] = [await measureMemory(), await measureSpeed()]
  const isFlat = Object.values(memory).every(({ beyondMegabyte = 0 }) => beyondMegabyte <= allowedMegabytes)
  const result = {
    date: new Date().toISOString(),
    machine: before,
    runs: Number(options.runs),
    allowedMegabytes,
    isFlat,
    memory,
    speed,
  }
  record('documents', result)
  console.table(memory)
  console.table(speed)
  if (!isFlat) process.exitCode = 1
} finally {
  rmSync(folder, { recursive: true })
}

interface Input {
  /** Standard input. */
  readonly stream?: () => Iterable<Buffer>
  readonly folder?: string
  /** The input of a megabyte to compare with. */
  readonly base?: string
}

async function measureMemory() {
  const shelf = (name: string, count: number, bytes: number, endings: Parameters<typeof writeFolder>[3]) => {
    writeFolder(join(folder, name), count, bytes, endings)
    return join(folder, name)
  }
  const kinds = ['txt', 'md', 'html', 'csv', 'jsonl', 'eml'] as const
  const inputs: Readonly<Record<string, Input>> = {
    'a stream of 1 MB': { stream: () => proseStream(1e6) },
    [`a stream of ${options.gigabytes} GB`]: {
      stream: () => proseStream(Number(options.gigabytes) * 1e9),
      base: 'a stream of 1 MB',
    },
    '5,000 texts of 2 kB': { folder: shelf('texts', 5000, 2000, ['txt']), base: 'a stream of 1 MB' },
    'six files of six kinds, 1 MB': { folder: shelf('six', 6, 166_000, kinds) },
    '5,000 files of six kinds, 2 kB': {
      folder: shelf('kinds', 5000, 2000, kinds),
      base: 'six files of six kinds, 1 MB',
    },
  }
  const peaks = new Map(Object.keys(inputs).map((name): [string, number[]] => [name, []]))
  // In turn, so that other load on the machine affects all of them.
  for (let run = 0; run < Number(options.runs); run++) {
    for (const [name, input] of Object.entries(inputs)) {
      const started = performance.now()
      peaks.get(name)!.push(megabytes(await peakOf(input)))
      const seconds = Math.round((performance.now() - started) / 1000)
      process.stderr.write(`${name}, run ${run + 1}: ${peaks.get(name)!.at(-1)} MB, ${seconds} s\n`)
    }
  }
  const rows = Object.entries(inputs).map(([name, { base }]) => {
    const peak = median(peaks.get(name)!)
    const beyondMegabyte = base && Math.round((peak - median(peaks.get(base)!)) * 10) / 10
    return [
      name,
      { peaks: peaks.get(name)!, median: peak, ...(base !== undefined && { beyondMegabyte }) },
    ] as const
  })
  return Object.fromEntries(rows) as Record<
    string,
    { peaks: number[]; median: number; beyondMegabyte?: number }
  >
}

/** Peak of the command's resident memory, in bytes. @throws Error when it does not find its answer */
async function peakOf({ stream, folder: texts }: Input): Promise<number> {
  const peakFile = join(folder, 'peak')
  const data = mkdtempSync(join(folder, 'data-'))
  const flags = [
    '--conditions=@memagent/source',
    '--import',
    join(import.meta.dirname, 'documents/peak-memory.ts'),
  ]
  const model = join(import.meta.dirname, 'documents/instant-model.ts')
  const command = [
    join(root, 'packages/cli/src/bin.ts'),
    'ask',
    'When was the lighthouse built?',
    texts ?? '-',
  ]
  const child = spawn(process.execPath, [...flags, ...command, '--model', model, '--quiet', '--no-config'], {
    env: { ...process.env, XDG_DATA_HOME: data, XDG_CACHE_HOME: data, PEAK_MEMORY_FILE: peakFile },
  })
  let [answer, said] = ['', '']
  child.stdout.on('data', (text) => {
    answer += text
  })
  child.stderr.on('data', (text) => {
    said += text
  })
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve))
  await pipeline(Readable.from(stream?.() ?? []), child.stdin)
  const code = await ended
  rmSync(data, { recursive: true })
  if (code !== 0 || !answer.includes('1874')) throw new Error(`memagent ended with ${code}: ${answer}${said}`)
  return Number(readFileSync(peakFile, 'utf8'))
}

/** Megabytes of text per second, and the time relative to that of tokenizing the text alone. */
async function measureSpeed() {
  const text = proseOf(Number(options.megabytes) * 1e6)
  const tokenizer = createHuggingFaceTokenizer(
    JSON.parse(readFileSync(join(root, 'models/nano/tokenizer.json'), 'utf8')),
  )
  const maxTokens = paperProfile.budget.chunk
  const passages = text.match(/.{1,20000}/gs)!
  const tokenize = async () => {
    for (const passage of passages) tokenizer.count(passage)
  }
  const ways: Record<string, () => Promise<unknown>> = { 'tokenizing alone': tokenize }
  for (const [name, make] of Object.entries(files)) {
    const [fileName, content] = make(text)
    const place = join(folder, name)
    mkdirSync(place)
    const path = join(place, fileName)
    writeFileSync(path, content)
    ways[`loading ${name}`] = async () => {
      for await (const _ of (await openDocuments([path])).open());
    }
    if (name !== 'plain text, UTF-8') continue
    ways['loading it and cutting it into chunks'] = async () => {
      const document = await openDocuments([path])
      for await (const _ of chunkDocument(document, { maxTokens, tokenizer }));
    }
  }
  const seconds = new Map(Object.keys(ways).map((name): [string, number[]] => [name, []]))
  for (let round = -1; round < Number(options.rounds); round++) {
    for (const [name, run] of Object.entries(ways)) {
      const started = performance.now()
      await run()
      // The first round warms up.
      if (round >= 0) seconds.get(name)!.push((performance.now() - started) / 1000)
    }
  }
  const alone = seconds.get('tokenizing alone')!
  const row = (times: readonly number[]) => ({
    megabytesPerSecond: rounded(Buffer.byteLength(text) / 1e6 / median(times)),
    timeOverTokenizing: rounded(median(times.map((time, i) => time / alone[i]!))),
  })
  return Object.fromEntries([...seconds].map(([name, times]) => [name, row(times)]))
}
