/**
 * The paper's configuration over 3.5 million tokens, recorded in `bench/results/paper-configuration.json`:
 *
 *     npm run bench:paper [-- --tokens 3500000 --delay 20 --tokenizer tokenizer.json]
 *
 * Chunks of exactly 5,000 tokens, a memory of 1,024, a window of 8,192, every step saved to a file. The server is the
 * stub in a process of its own: it answers after a delay with a memory of about a thousand tokens and rejects whatever
 * does not fit its window. What is measured is the overhead: wall-clock time outside the HTTP exchange, and processor
 * time of the reading process (all of it, also what overlaps with the server's work).
 */
import { fork } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import {
  createHuggingFaceTokenizer,
  createOpenAICompatibleModel,
  paperProfile,
  readDocument,
} from '@memagent/core'
import { createFileCheckpointStore } from '@memagent/core/node'
import { createStubServer } from '@memagent/core/testing'
import { createRandom, installedProse, plantInProse } from '@memagent/tasks'
import { tinyTokenizerJson } from '../packages/core/src/testing/tiny-tokenizer.ts'

const { values: options } = parseArgs({
  options: {
    tokens: { type: 'string', default: '3500000' },
    delay: { type: 'string', default: '20' },
    tokenizer: { type: 'string' },
    server: { type: 'boolean', default: false },
  },
})
const root = join(import.meta.dirname, '..')
const nanoTokenizer = join(root, 'models/nano/tokenizer.json')
const tokenizerFile = options.tokenizer ?? (existsSync(nanoTokenizer) ? nanoTokenizer : undefined)
const tokenizer = createHuggingFaceTokenizer(
  tokenizerFile ? JSON.parse(readFileSync(tokenizerFile, 'utf8')) : tinyTokenizerJson('qwen2'),
)
const window = 8192

if (options.server) await serve()
else await measure()

/** The child process: answers until it is told to report. */
async function serve(): Promise<void> {
  let [rejected, longestPrompt, longestMemory] = [0, 0, 0]
  const note =
    'The lighthouse at the northern end of the island was built in 1874 and is kept by Ann Weaver. '
  let memory = ''
  while (tokenizer.count(memory + note) <= 1000) memory += note
  const server = await createStubServer({
    contextWindow: window,
    delayMs: Number(options.delay),
    countTokens: (text) => tokenizer.count(text),
    countPrompt: (messages) => {
      const tokens = messages.reduce((sum, { content }) => sum + tokenizer.count(content), 0)
      longestPrompt = Math.max(longestPrompt, tokens)
      const shown = /<memory>\n([\s\S]*?)\n<\/memory>/.exec(messages[0]!.content)?.[1] ?? ''
      longestMemory = Math.max(longestMemory, tokenizer.count(shown))
      return tokens
    },
    respond: ({ index, messages: [message] }) =>
      message!.content.includes('<section>') ? `Step ${index}. ${memory}` : '\\boxed{1874}',
    faults: ({ promptTokens, body }) => {
      if (promptTokens + Number(body.max_tokens) > window) rejected++
      return undefined
    },
  })
  process.on('message', () => {
    process.send!({ calls: server.calls.length, rejected, longestPrompt, longestMemory })
    void server.close().then(() => process.disconnect())
  })
  process.send!({ baseUrl: server.baseUrl })
}

interface ServerReport {
  readonly calls: number
  readonly rejected: number
  readonly longestPrompt: number
  readonly longestMemory: number
}

async function measure(): Promise<void> {
  const started = performance.now()
  const prose = await installedProse()
  const planted = plantInProse({
    name: 'prose',
    prose,
    plants: [{ text: 'The lighthouse was built in 1874.', depth: 0.5 }],
    lengthTokens: Number(options.tokens),
    countTokens: (text) => tokenizer.count(text),
    random: createRandom('paper-configuration'),
  })
  const { document } = planted
  const tokens = tokenizer.count(await textOf(document.open()))

  const child = fork(
    import.meta.filename,
    ['--server', '--delay', options.delay, ...(options.tokenizer ? ['--tokenizer', options.tokenizer] : [])],
    {
      execArgv: ['--conditions=@memagent/source'],
    },
  )
  const { baseUrl } = await messageOf<{ baseUrl: string }>(child)
  let [exchangeMs, exchangeCpuMs] = [0, 0]
  const model = createOpenAICompatibleModel({
    baseUrl,
    model: 'stub',
    apiKey: '',
    tokenizer,
    async fetch(url, init) {
      const [start, cpuStart] = [performance.now(), process.cpuUsage()]
      const response = await fetch(url, init)
      const body = await response.arrayBuffer()
      exchangeMs += performance.now() - start
      exchangeCpuMs += cpuMs(cpuStart)
      return new Response(body, { status: response.status, headers: response.headers })
    },
  })
  const folder = mkdtempSync(join(tmpdir(), 'memagent-bench-'))
  const loadBefore = loadavg()[0]!
  const cpuStart = process.cpuUsage()
  const wallStart = performance.now()
  let usage: { readonly calls: number; readonly chunkTokens: number; readonly bytes: number } | undefined
  let describedMs = 0
  let longestStepMs = 0
  const steps: number[] = []
  for await (const event of readDocument({
    question: 'When was the lighthouse built?',
    document,
    model,
    profile: { ...paperProfile, chunking: 'exact' },
    checkpoints: createFileCheckpointStore(join(folder, 'run.json')),
  })) {
    if (event.type === 'reading-start') describedMs = performance.now() - wallStart
    if (event.type === 'chunk-end') steps.push(1000 * event.seconds)
    if (event.type === 'answer') usage = event.usage
  }
  const wallMs = performance.now() - wallStart
  const allCpuMs = cpuMs(cpuStart)
  longestStepMs = Math.max(...steps)
  rmSync(folder, { recursive: true })
  child.send('report')
  const server = await messageOf<ServerReport>(child)

  const expectedCalls = Math.ceil(tokens / paperProfile.budget.chunk) + 1
  const calls = server.calls
  const result = {
    date: new Date().toISOString(),
    machine: { cpu: cpus()[0]!.model, cores: availableParallelism(), node: process.version, loadBefore },
    tokenizer: tokenizerFile ? tokenizerFile.replace(`${root}/`, '') : 'tiny byte-level BPE',
    budget: paperProfile.budget,
    tokens,
    bytes: planted.sizeBytes,
    expectedCalls,
    ...server,
    window,
    serverDelayMs: Number(options.delay),
    wallSeconds: round(wallMs / 1000, 1),
    beforeFirstCallMs: round(describedMs),
    exchangeMsPerCall: round(exchangeMs / calls),
    overheadMsPerCall: round((wallMs - exchangeMs) / calls),
    /** Processor time in that part: what it takes when nothing else wants the processor. */
    overheadCpuMsPerCall: round((allCpuMs - exchangeCpuMs) / calls),
    /** All of it, what overlaps with the server's work included. */
    cpuMsPerCall: round(allCpuMs / calls),
    longestStepMs: round(longestStepMs),
    seconds: round((performance.now() - started) / 1000, 1),
  }
  const isRight =
    calls === expectedCalls &&
    server.rejected === 0 &&
    server.longestMemory <= paperProfile.budget.memory &&
    usage?.chunkTokens === tokens &&
    usage.bytes === planted.sizeBytes
  const results = join(import.meta.dirname, 'results')
  mkdirSync(results, { recursive: true })
  writeFileSync(
    join(results, 'paper-configuration.json'),
    `${JSON.stringify({ ...result, isRight }, null, 2)}\n`,
  )
  console.log(JSON.stringify({ ...result, isRight }, null, 2))
  if (!isRight) process.exitCode = 1
}

function cpuMs(since: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(since)
  return (user + system) / 1000
}

async function textOf(pieces: AsyncIterable<{ readonly text: string }>): Promise<string> {
  const parts: string[] = []
  for await (const { text } of pieces) parts.push(text)
  return parts.join('')
}

function messageOf<T>(child: ReturnType<typeof fork>): Promise<T> {
  return new Promise((resolve, reject) => {
    child.once('message', (message) => resolve(message as T))
    child.once('error', reject)
    child.once('exit', (code) => reject(new Error(`The server ended with ${code}.`)))
  })
}

function round(value: number, digits = 3): number {
  return Math.round(value * 10 ** digits) / 10 ** digits
}
