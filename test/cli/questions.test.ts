/** `ask --questions`: many questions about one text, killed, resumed, failing, hostile; in this process where possible. */
import { readFile, writeFile } from 'node:fs/promises'
import type { ReadingUsage } from '@memagent/core'
import {
  createPrefixCache,
  createStubServer,
  type StubCall,
  type StubServer,
  temporaryFolder,
} from '@memagent/core/testing'
import { parse } from 'csv-parse/sync'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { runMain } from '../../packages/cli/src/testing/run-main.ts'
import { type CommandOptions, runCommand } from './run-cli.ts'

const folder = temporaryFolder(beforeAll, afterAll)
let server: StubServer
let calls: string[] = []
let onCall: ((call: StubCall) => void) | undefined
let reply: ((question: string, isAnswer: boolean) => string | undefined) | undefined
let isDown: ((question: string) => boolean) | undefined

/** The content of a part of the prompt. */
const part = (prompt: string, name: string) =>
  prompt.split(`<${name}>`)[1]?.split(`</${name}>`)[0]?.trim() ?? ''

/** A memory that depends on the question and on every chunk so far. */
function fold(text: string): string {
  let hash = 0x811c9dc5
  for (const character of text) hash = Math.imul(hash ^ character.codePointAt(0)!, 0x01000193) >>> 0
  return hash.toString(16)
}

beforeAll(async () => {
  server = await createStubServer({
    respond: (call) => {
      const prompt = call.messages.at(-1)!.content
      const [question, memory, section] = ['problem', 'memory', 'section'].map((name) =>
        part(prompt, name),
      ) as [string, string, string]
      calls.push(question)
      onCall?.(call)
      const given = reply?.(question, section === '')
      if (given !== undefined) return given
      return section === '' ? `\\boxed{${memory}}` : `state ${fold(question + memory + section)}`
    },
    faults: (call) =>
      isDown?.(part(call.messages.at(-1)!.content, 'problem')) ? { kind: 'status', status: 400 } : undefined,
    delayMs: 2,
    isRecording: false,
  })
})
afterAll(() => server.close())

let data: string
let file: string
let number = 0
beforeEach(async () => {
  data = folder.join(`data-${number}`)
  file = folder.join(`guests-${number++}.txt`)
  await writeFile(file, Array.from({ length: 400 }, (_, i) => `Guest ${i} came on day ${i}.`).join(' '))
  calls = []
  onCall = reply = isDown = undefined
})

interface Options {
  readonly input?: string
  readonly environment?: Record<string, string>
}
/** In this process. */
const run = (args: readonly string[], options: Options = {}) =>
  runMain(args, { ...options, environment: { XDG_DATA_HOME: data, ...options.environment } })
/** The real command. */
const command = (args: readonly string[], options: CommandOptions = {}) =>
  runCommand(args, { ...options, environment: { XDG_DATA_HOME: data, ...options.environment } })
const model = () => [
  '--model',
  'openai:stub',
  '--base-url',
  server.baseUrl,
  '--chunk',
  '100',
  '--retries',
  '0',
]
const ask = (args: readonly string[], options?: Options) => run(['ask', ...model(), ...args], options)
const questions = ['Who came first?', 'Who came last?', 'How many came?', 'Who came on day 7?']
async function fileOf(lines: readonly string[], ending = '.txt') {
  const path = folder.join(`questions-${number++}${ending}`)
  await writeFile(path, lines.join('\n'))
  return path
}
const rowsOf = (stdout: string) =>
  stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
/** Without what varies from run to run. */
const untimed = (rows: readonly Record<string, unknown>[]) => rows.map(({ seconds: _, ...row }) => row)

/** Counts replies that a killed process left in the cache as calls. */
const withAllCalls = ({ usage, seconds: _, ...row }: Record<string, unknown>) => {
  const { calls, promptTokens, completionTokens, fromCache, ...rest } = usage as ReadingUsage
  const all = { calls, promptTokens, completionTokens }
  for (const name of Object.keys(all) as (keyof typeof all)[]) all[name] += fromCache?.[name] ?? 0
  return { ...row, usage: { ...rest, ...all } }
}

describe('several questions', () => {
  it('come to what each comes to alone, whatever the form of their file', async () => {
    const singly = []
    for (const [i, question] of questions.entries()) {
      const { stdout } = await ask([question, file, '--json', '--no-store'])
      const { remarks: _, model: __, workflow: ___, profile: ____, ...alone } = JSON.parse(stdout)
      singly.push({ id: String(i + 1), question, ...alone })
    }
    const whole = calls.length
    calls = []
    const text = await ask(['--questions', await fileOf(questions), file, '--format', 'jsonl', '--no-store'])
    expect(text.code).toBe(0)
    expect(untimed(rowsOf(text.stdout))).toEqual(untimed(singly))
    expect(calls).toHaveLength(whole)

    const objects = questions.map((question, i) => JSON.stringify({ question, id: `q${i}` }))
    const csv = ['id,question', ...questions.map((question, i) => `q${i},${question}`)]
    for (const path of [await fileOf(objects, '.jsonl'), await fileOf(csv, '.csv')]) {
      const { stdout } = await ask(['--questions', path, file, '--json', '--no-store'])
      const { results, usage } = JSON.parse(stdout)
      expect(untimed(results)).toEqual(untimed(singly.map((row, i) => ({ ...row, id: `q${i}` }))))
      expect(usage.calls).toBe(whole)
    }
  })

  it('tell their events with the number of the question', async () => {
    const { stdout } = await ask(['--questions', await fileOf(questions), file, '--events', '--no-store'])
    const events = rowsOf(stdout)
    for (const at of questions.keys()) {
      const own = events.filter(({ question }) => question === at)
      expect(own[0].type).toBe('reading-start')
      expect(own.at(-1).type).toBe('answer')
      const steps = own.filter(({ type }) => type === 'chunk-end').map(({ step }) => step)
      expect(steps).toEqual(steps.map((_, step) => step))
    }
    expect(events.every(({ question }) => question !== undefined)).toBe(true)
  })

  it('come from standard input, when the text does not', async () => {
    const args = ['--questions', '-', file, '--format', 'jsonl', '--no-store']
    const { stdout } = await ask(args, { input: questions.join('\n') })
    expect(rowsOf(stdout).map(({ question }) => question)).toEqual(questions)
    const both = await ask(['--questions', '-', '--no-store'], { input: 'Who?' })
    expect(both).toMatchObject({ code: 2, stdout: '' })
    const twice = await ask(['Who came?', '--questions', await fileOf(questions), file])
    expect(twice).toMatchObject({ code: 2, stdout: '' })
    expect(twice.stderr).toContain(
      'With --questions, all arguments are texts, and there is no file Who came?',
    )
    expect(both.stderr).toContain('Standard input can hold the questions or the text, not both.')
  })

  it('are checked before anything is asked, and a long one is named with its line', async () => {
    const path = await fileOf(['Who?', '', 'why '.repeat(2000)])
    const { code, stderr, stdout } = await ask(['--questions', path, file, '--json'])
    expect(code).toBe(2)
    expect(stderr).toMatch(/Question 2 \(line 3 of .*\): The question has [\d,]+ tokens; the budget allows/)
    expect(JSON.parse(stdout)).toMatchObject({
      outcome: 'failed',
      error: { code: 'reading/question-too-long' },
    })
    const broken = await ask(['--questions', await fileOf(['{"question": 3}'], '.jsonl'), file])
    expect(broken).toMatchObject({ code: 2, stdout: '' })
    expect(broken.stderr).toMatch(/Line 1 of .* cannot be asked/)
    expect(calls).toEqual([])
  })
})

describe('a run of several questions', () => {
  it('that is killed again and again comes to the same, and repeats no more calls than were under way', async () => {
    const list = await fileOf(questions)
    const whole = rowsOf((await ask(['--questions', list, file, '--format', 'jsonl', '--no-store'])).stdout)
    const needed = calls.length
    calls = []
    const kills = [2, 30]
    for (const at of kills) {
      const until = calls.length + at
      const killed = await command(['ask', ...model(), '--questions', list, file, '--format', 'jsonl'], {
        onStart: (child) => {
          onCall = () => {
            if (calls.length >= until) child.kill('SIGKILL')
          }
        },
      })
      expect(killed.signal).toBe('SIGKILL')
      onCall = undefined
    }
    const [{ id, ...listed }] = JSON.parse((await run(['runs', '--json'])).stdout)
    expect(listed).toMatchObject({ state: 'unfinished', questions })
    const resumed = await command(['resume', id, '--format', 'jsonl'])
    expect(resumed.code).toBe(0)
    expect(rowsOf(resumed.stdout).map(withAllCalls)).toEqual(whole.map(withAllCalls))
    expect(calls.length).toBeLessThanOrEqual(needed + kills.length * questions.length)
    const [finished] = JSON.parse((await run(['runs', '--json'])).stdout)
    expect(finished).toMatchObject({ id, state: 'finished', outcome: 'answers' })
    const spent = calls.length
    const again = await run(['resume', id, '--format', 'jsonl'])
    expect(again).toMatchObject({ code: 0, stdout: resumed.stdout })
    expect(calls).toHaveLength(spent)
  })

  it('is shown with all answers, and step by step for one; it moves to another store', async () => {
    const { stdout } = await ask(['--questions', await fileOf(questions), file, '--format', 'jsonl'])
    const [, second] = rowsOf(stdout)
    const [{ id }] = JSON.parse((await run(['runs', 'came last', '--json'])).stdout)
    const shown = (await run(['show', id])).stdout
    expect(shown).toContain('4 questions side by side')
    expect(shown).toContain(`2. Who came last?\n   Answer (found): ${second.answer}`)
    const one = (await run(['show', id, '--question', '2'])).stdout
    expect(one).toContain('Question: Who came last?')
    expect(one.match(/^Step /gm)).toHaveLength(second.steps)
    expect(one).toContain(`+ ${second.memory}`)
    const none = await run(['show', id, '--question', '5'])
    expect(none).toMatchObject({ code: 1, stdout: '' })
    expect(none.stderr).toContain(`The run ${id} has 4 questions, and no question 5.`)
    for (const which of [
      ['--step', '1'],
      ['--html', folder.join('page.html')],
    ]) {
      expect((await run(['show', id, ...which])).stderr).toContain('Say which: --question 1')
    }
    const exported = await run(['runs', 'export', id])
    const other = { environment: { XDG_DATA_HOME: folder.join(`other-${number++}`) } }
    expect(await run(['runs', 'import'], { ...other, input: exported.stdout })).toMatchObject({ code: 0 })
    expect((await run(['show', id, '--question', '2'], other)).stdout).toBe(one)
    const told = await run(['resume', id, '--format', 'jsonl'], other)
    expect(told).toMatchObject({ code: 0, stdout })
    expect(await run(['runs', 'rm', id])).toMatchObject({ code: 0 })
    expect((await run(['runs', '--json'])).stdout).toBe('[]\n')
  })

  it('is resumed with the ids and repeated questions of the command that continued it', async () => {
    const [first, last] = [questions[0]!, questions[1]!]
    await ask(['--questions', await fileOf([first, last]), file, '--max-calls', '6'])
    const named = [first, last, first].map((question, i) => JSON.stringify({ id: 'abc'[i], question }))
    const again = await fileOf(named, '.jsonl')
    const stopped = await ask(['--questions', again, file, '--max-calls', '6'])
    const [, id = ''] = /memagent resume ([0-9a-f]{10})/.exec(stopped.stderr) ?? []
    const rows = rowsOf((await run(['resume', id, '--format', 'jsonl'])).stdout)
    expect(rows.map((row) => [row.id, row.question])).toEqual([
      ['a', first],
      ['b', last],
      ['c', first],
    ])
    const shown = (await run(['show', id])).stdout
    expect(shown).toContain('3 questions side by side')
    expect(shown).toContain(`3. (c) ${first}\n   Answer (found): ${rows[2].answer}`)
    expect((await run(['show', id, '--question', '3'])).stdout).toContain(`Question: ${first}`)
    expect((await run(['show', id, '--question', '4'])).stderr).toContain(
      `The run ${id} has 3 questions, and no question 4.`,
    )
  })

  it('goes on in a checkpoint file, and stops at a limit on the calls of all of them', async () => {
    const args = [
      '--questions',
      await fileOf(questions),
      file,
      '--checkpoint',
      folder.join(`run-${number++}.json`),
    ]
    const stopped = await ask([...args, '--max-calls', '6', '--json'])
    expect(stopped.code).toBe(1)
    expect(JSON.parse(stopped.stdout).error.code).toBe('reading/limit-calls')
    expect(calls).toHaveLength(6)
    const { code, stdout } = await ask([...args, '--json'])
    expect(code).toBe(0)
    const { results, usage } = JSON.parse(stdout)
    expect(results.map(({ outcome }: { outcome: string }) => outcome)).toEqual(questions.map(() => 'found'))
    expect(usage.calls).toBe(calls.length)
  })
})

describe('a question that fails', () => {
  it('is failed, and not one without an answer: the others are answered, and only it is asked when resumed', async () => {
    isDown = (question) => question === questions[1]
    const failing = await ask(['--questions', await fileOf(questions), file, '--format', 'jsonl'])
    expect(failing.code).toBe(1)
    expect(rowsOf(failing.stdout).map(({ outcome }) => outcome)).toEqual([
      'found',
      'failed',
      'found',
      'found',
    ])
    expect(rowsOf(failing.stdout)[1]).toMatchObject({ id: '2', error: { message: expect.any(String) } })
    expect(rowsOf(failing.stdout)[1]).not.toHaveProperty('answer')
    expect(failing.stderr).toContain('1 of 4 questions failed: nothing is known of their answers.')
    const [, id] = /memagent resume ([0-9a-f]{10})/.exec(failing.stderr) ?? []
    expect((await run(['show', id!])).stdout).toContain('2. Who came last?\n   It has no answer yet.')
    const answered = (await run(['show', id!, '--question', '1'])).stdout
    expect(answered).toContain(`Answer (found): ${rowsOf(failing.stdout)[0].answer}`)
    expect(answered).toContain('No passage of the text was found for this answer.')
    expect(answered).not.toMatch(/stopped|failed/)
    const pageOf = async (question: string) => {
      const page = folder.join('answered.html')
      await run(['show', id!, '--question', question, '--html', page])
      return readFile(page, 'utf8')
    }
    expect(await pageOf('1')).not.toContain('1 of 4 questions failed')
    expect(await pageOf('2')).toContain('1 of 4 questions failed')
    expect((await run(['show', id!, '--question', '2'])).stdout).toContain(
      'It stopped here: 1 of 4 questions',
    )
    isDown = undefined
    calls = []
    const resumed = await run(['resume', id!])
    expect(resumed.code).toBe(0)
    expect(new Set(calls)).toEqual(new Set([questions[1]]))
    expect(resumed.stdout.match(/^\d\. /gm)).toHaveLength(4)
  })

  it('is one error where all of them fail', async () => {
    isDown = () => true
    const { code, stdout, stderr } = await ask(['--questions', await fileOf(questions), file, '--json'])
    expect(code).toBe(1)
    expect(JSON.parse(stdout)).toMatchObject({
      outcome: 'failed',
      error: { code: expect.stringMatching(/^chat\//) },
    })
    expect(stderr.match(/^error: /gm)).toHaveLength(1)
  })

  it('counts most, then one that is unsure, then one without an answer', async () => {
    const list = await fileOf(questions.slice(0, 2))
    const codeWith = async (answers: readonly string[]) => {
      reply = (question, isAnswer) => (isAnswer ? answers[questions.indexOf(question)] : undefined)
      return (await ask(['--questions', list, file, '--no-store', '--quiet'])).code
    }
    expect(await codeWith(['\\boxed{a}', '\\boxed{b}'])).toBe(0)
    expect(await codeWith(['\\boxed{a}', '\\boxed{not in the text}'])).toBe(3)
    expect(await codeWith(['a', '\\boxed{not in the text}'])).toBe(4)
  })
})

it('hostile questions and answers stay text: in CSV no formulas, on a terminal no escapes', async () => {
  const hostile = [
    '=HYPERLINK("http://x","y")',
    '+1+1',
    '@SUM(A1)',
    '-2',
    '"; rm -rf /',
    '＝1+1',
    '\u001b[31mred\u0007',
  ]
  const path = await fileOf(
    hostile.map((question) => JSON.stringify({ question, id: `=${question}` })),
    '.jsonl',
  )
  reply = (_, isAnswer) => (isAnswer ? '\\boxed{=cmd|"/c calc"!A1\u001b[2J\nsecond, line}' : undefined)
  const asked = ['ask', ...model(), '--questions', path, file, '--no-store']
  const { stdout } = await run([...asked, '--format', 'csv', '--quiet'])
  const rows: Record<string, string>[] = parse(stdout, { columns: true })
  expect(rows).toHaveLength(hostile.length)
  expect(rows.map(({ outcome }) => outcome)).toEqual(hostile.map(() => 'found'))
  for (const row of rows) {
    expect(Object.keys(row)).toEqual(['id', 'question', 'outcome', 'answer', 'sources', 'warnings', 'error'])
    for (const cell of Object.values(row)) expect(cell).not.toMatch(/^[=+\-@＝\t\r]/)
    expect(row.answer).toContain('cmd')
  }
  for (const format of ['csv', 'text', 'jsonl']) {
    const printed = await run([...asked, '--format', format])
    expect((printed.stdout + printed.stderr).replace(/\r?\n/g, '')).not.toMatch(/\p{Cc}/u)
  }
})

it('with the section first, most of the prompts of the second question on comes from the cache of a server', async () => {
  const cached = createPrefixCache()
  const cache = await createStubServer({
    respond: ({ messages }) => (messages.at(-1)!.content.includes('<section>') ? 'Noted.' : '\\boxed{7}'),
    cachedTokens: cached,
  })
  try {
    const ofCache = [
      '--model',
      'openai:stub',
      '--base-url',
      cache.baseUrl,
      '--chunk',
      '400',
      '--no-store',
      '--json',
    ]
    const list = await fileOf(Array.from({ length: 16 }, (_, i) => `Who came on day ${i}?`))
    const { stdout } = await run(['ask', '--questions', list, file, ...ofCache, '--prompts', 'section-first'])
    const { cachedPromptTokens, promptTokens } = JSON.parse(stdout).usage
    expect(cachedPromptTokens / promptTokens).toBeGreaterThan(0.6)
  } finally {
    await cache.close()
  }
})
