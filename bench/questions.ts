/**
 * What several questions about one text cost, recorded in `bench/results/questions.json`:
 *
 *     npm run bench:questions [-- --workflows edits,skim-edits --tokens 1000000 --alone 50000 --rounds 1]
 *
 * By the real command with the bundled model, for each workflow: the time and the processor time (which other programs
 * disturb less) of sixteen questions in one reading over those of one, asked before and after; and how many of the sixteen
 * come to the same answer and memory as alone, on a shorter text. Also what a server serves from its prefix cache, by the
 * order of the prompts: a stub whose cache forgets nothing, in blocks of 16 words. Records of other workflows stay.
 */
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createHuggingFaceTokenizer } from '@memagent/core'
import { loadModelFolder } from '@memagent/engine'
import { createRandom, installedProse, type Plant, plantInProse, type Sample, tasks } from '@memagent/tasks'
import { createPrefixCache } from '../packages/core/src/testing/prefix-cache.ts'
import { createStubServer } from '../packages/core/src/testing/stub-server.ts'
import { machine, record } from './recording.ts'

const { values: options } = parseArgs({
  options: {
    workflows: { type: 'string', default: 'edits,skim-edits' },
    tokens: { type: 'string', default: '1000000' },
    /** Length of the text about which each question is also asked alone. */
    alone: { type: 'string', default: '50000' },
    rounds: { type: 'string', default: '1' },
  },
})
const count = 16
const root = join(import.meta.dirname, '..')
const output = join(import.meta.dirname, 'results/questions.json')
const { tokenizerJson } = await loadModelFolder(join(root, 'models/nano'))
const tokenizer = createHuggingFaceTokenizer(tokenizerJson)
const countTokens = (text: string) => tokenizer.count(text) as number

/** Questions with answers in one document, each among facts that are easily taken for its own. */
async function draw() {
  const prose = await installedProse()
  const task = await tasks['facts-in-prose']({ prose, absentShare: 0 })
  const samples: Sample[] = []
  const plants: Plant[] = []
  const random = createRandom('several questions')
  for (let index = 0; index < count; index++) {
    const sample = await task.sample({ index, seed: 2, lengthTokens: 600, countTokens })
    samples.push(sample)
    const text = Buffer.from(await textOf(sample.document))
    for (const { startByte, endByte } of sample.statements ?? []) {
      plants.push({ text: text.subarray(startByte, endByte).toString().trim(), depth: random.next() })
    }
  }
  return { samples, prose, plants, score: task.score }
}

async function textOf(document: Sample['document']): Promise<string> {
  let text = ''
  for await (const piece of document.open()) text += piece.text
  return text
}

interface Ended {
  readonly answer?: string
  readonly outcome: string
  readonly memory?: string
  readonly usage?: { readonly promptTokens: number; readonly cachedPromptTokens?: number }
}
interface Run {
  readonly wallSeconds: number
  readonly processorSeconds: number
  /** One for each question. */
  readonly ended: readonly Ended[]
}

const toldUsage = `data:text/javascript,${encodeURIComponent(
  `import { writeSync } from 'node:fs'
process.on('exit', () => writeSync(3, JSON.stringify(process.resourceUsage())))`,
)}`

/** Runs the real command, and keeps nothing. */
async function ask(args: readonly string[]): Promise<Run> {
  const bin = join(root, 'packages/cli/src/bin.ts')
  const started = performance.now()
  const child = spawn(
    process.execPath,
    ['--conditions=@memagent/source', '--import', toldUsage, bin, 'ask', ...args, '--no-store', '--quiet'],
    { cwd: root, stdio: ['ignore', 'pipe', 'inherit', 'pipe'] },
  )
  let [stdout, usage] = ['', '']
  child.stdout!.on('data', (data) => {
    stdout += data
  })
  child.stdio[3]!.on('data', (data) => {
    usage += data
  })
  await new Promise((done) => child.on('close', done))
  const { userCPUTime, systemCPUTime } = JSON.parse(usage) as NodeJS.ResourceUsage
  return {
    wallSeconds: (performance.now() - started) / 1000,
    processorSeconds: (userCPUTime + systemCPUTime) / 1e6,
    ended: stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Ended),
  }
}

const isSame = (a: Ended | undefined, b: Ended | undefined) =>
  a?.answer === b?.answer && a?.outcome === b?.outcome && a?.memory === b?.memory
const mean = (numbers: readonly number[]) => numbers.reduce((sum, number) => sum + number, 0) / numbers.length
const rounded = (number: number) => Number(number.toPrecision(4))
const times = ({ wallSeconds, processorSeconds }: Run) => ({
  wallSeconds: rounded(wallSeconds),
  processorSeconds: rounded(processorSeconds),
})

const folder = mkdtempSync(join(tmpdir(), 'memagent-bench-'))
try {
  const { samples, prose, plants, score } = await draw()
  const questions = samples.map(({ question }) => question)
  const list = join(folder, 'questions.jsonl')
  writeFileSync(list, questions.map((question) => `${JSON.stringify({ question })}\n`).join(''))
  const fileOf = async (lengthTokens: number) => {
    const random = createRandom('questions', lengthTokens)
    const { document } = plantInProse({ name: 'text', prose, plants, lengthTokens, countTokens, random })
    const file = join(folder, `${lengthTokens}.txt`)
    writeFileSync(file, await textOf(document))
    return file
  }

  const short = await fileOf(Number(options.alone))
  const long = await fileOf(Number(options.tokens))

  const measure = async (workflow: string) => {
    const alone = (question: string, file: string) => ask([question, file, '--json', '--workflow', workflow])
    const together = (file: string) =>
      ask(['--questions', list, file, '--format', 'jsonl', '--workflow', workflow])

    const inOne = await together(short)
    let same = 0
    for (const [i, question] of questions.entries()) {
      const { ended } = await alone(question, short)
      if (isSame(ended[0], inOne.ended[i])) same++
      else process.stderr.write(`differs: ${question}\n${JSON.stringify([ended[0], inOne.ended[i]])}\n`)
    }

    const rounds = []
    for (let round = 0; round < Number(options.rounds); round++) {
      // Before and after, so that other load on the machine affects both.
      const [first, last] = [(2 * round) % count, (2 * round + 1) % count]
      const before = await alone(questions[first]!, long)
      const all = await together(long)
      const after = await alone(questions[last]!, long)
      const ratio = (of: 'wallSeconds' | 'processorSeconds') =>
        rounded(all[of] / mean([before[of], after[of]]))
      const right = samples.filter((sample, i) => {
        const { answer } = all.ended[i]!
        return Object.values(score(sample, answer === '' ? undefined : answer)).every((value) => value === 1)
      })
      rounds.push({
        one: [times(before), times(after)],
        sixteen: times(all),
        ratio: { wall: ratio('wallSeconds'), processor: ratio('processorSeconds') },
        sameAnswers: [isSame(before.ended[0], all.ended[first]), isSame(after.ended[0], all.ended[last])],
        rightAnswers: right.length,
      })
    }
    return {
      date: new Date().toISOString(),
      load: machine().load,
      tokens: Number(options.tokens),
      rounds,
      sameAlone: { tokens: Number(options.alone), same },
    }
  }

  const cached: Record<string, unknown> = {}
  for (const prompts of ['section-first', 'paper']) {
    const server = await createStubServer({
      respond: ({ messages }) =>
        messages.at(-1)!.content.includes('<section>')
          ? `Noted: ${messages.at(-1)!.content.length}.`
          : '\\boxed{7}',
      cachedTokens: createPrefixCache(),
      isRecording: false,
    })
    const model = ['--model', 'openai:stub', '--base-url', server.baseUrl, '--prompts', prompts]
    const { ended } = await ask(['--questions', list, short, '--format', 'jsonl', ...model])
    await server.close()
    const sum = (of: (one: Ended) => number) => ended.reduce((total, one) => total + of(one), 0)
    const [fromCache, all] = [
      sum(({ usage }) => usage?.cachedPromptTokens ?? 0),
      sum(({ usage }) => usage!.promptTokens),
    ]
    cached[prompts] = { promptTokens: all, fromCache, share: rounded(fromCache / all) }
  }

  const result = JSON.parse(readFileSync(output, 'utf8'))
  result.prefixCache = { tokens: Number(options.alone), prompts: cached }
  result.machine = machine()
  for (const workflow of options.workflows.split(',')) {
    result.workflows[workflow] = await measure(workflow)
    console.log(workflow, JSON.stringify(result.workflows[workflow]))
    record('questions', result)
  }
} finally {
  rmSync(folder, { recursive: true })
}
