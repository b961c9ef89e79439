/** `ask --questions`: many questions about one text, also hostile ones; in this process. */
import { createPrefixCache, createStubServer } from '@memagent/core/testing'
import { parse } from 'csv-parse/sync'
import { describe, expect, it } from 'vitest'
import { guestQuestions, questions, rowsOf } from './guest-questions.ts'

const guest = guestQuestions()
const { ask, fileOf, model, run } = guest

/** Without what varies from run to run. */
const untimed = (rows: readonly Record<string, unknown>[]) => rows.map(({ seconds: _, ...row }) => row)

describe('several questions', () => {
  it('come to what each comes to alone, whatever the form of their file', async () => {
    const singly = []
    for (const [i, question] of questions.entries()) {
      const { stdout } = await ask([question, guest.file, '--json', '--no-store'])
      const { remarks: _, model: __, workflow: ___, profile: ____, ...alone } = JSON.parse(stdout)
      singly.push({ id: String(i + 1), question, ...alone })
    }
    const whole = guest.calls.length
    guest.calls = []
    const text = await ask([
      '--questions',
      await fileOf(questions),
      guest.file,
      '--format',
      'jsonl',
      '--no-store',
    ])
    expect(text.code).toBe(0)
    expect(untimed(rowsOf(text.stdout))).toEqual(untimed(singly))
    expect(guest.calls).toHaveLength(whole)

    const objects = questions.map((question, i) => JSON.stringify({ question, id: `q${i}` }))
    const csv = ['id,question', ...questions.map((question, i) => `q${i},${question}`)]
    for (const path of [await fileOf(objects, '.jsonl'), await fileOf(csv, '.csv')]) {
      const { stdout } = await ask(['--questions', path, guest.file, '--json', '--no-store'])
      const { results, usage } = JSON.parse(stdout)
      expect(untimed(results)).toEqual(untimed(singly.map((row, i) => ({ ...row, id: `q${i}` }))))
      expect(usage.calls).toBe(whole)
    }
  })

  it('tell their events with the number of the question', async () => {
    const { stdout } = await ask([
      '--questions',
      await fileOf(questions),
      guest.file,
      '--events',
      '--no-store',
    ])
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
    const args = ['--questions', '-', guest.file, '--format', 'jsonl', '--no-store']
    const { stdout } = await ask(args, { input: questions.join('\n') })
    expect(rowsOf(stdout).map(({ question }) => question)).toEqual(questions)
    const both = await ask(['--questions', '-', '--no-store'], { input: 'Who?' })
    expect(both).toMatchObject({ code: 2, stdout: '' })
    const twice = await ask(['Who came?', '--questions', await fileOf(questions), guest.file])
    expect(twice).toMatchObject({ code: 2, stdout: '' })
    expect(twice.stderr).toContain(
      'With --questions, all arguments are texts, and there is no file Who came?',
    )
    expect(both.stderr).toContain('Standard input can hold the questions or the text, not both.')
  })

  it('are checked before anything is asked, and a long one is named with its line', async () => {
    const path = await fileOf(['Who?', '', 'why '.repeat(2000)])
    const { code, stderr, stdout } = await ask(['--questions', path, guest.file, '--json'])
    expect(code).toBe(2)
    expect(stderr).toMatch(/Question 2 \(line 3 of .*\): The question has [\d,]+ tokens; the budget allows/)
    expect(JSON.parse(stdout)).toMatchObject({
      outcome: 'failed',
      error: { code: 'reading/question-too-long' },
    })
    const broken = await ask(['--questions', await fileOf(['{"question": 3}'], '.jsonl'), guest.file])
    expect(broken).toMatchObject({ code: 2, stdout: '' })
    expect(broken.stderr).toMatch(/Line 1 of .* cannot be asked/)
    expect(guest.calls).toEqual([])
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
  guest.reply = (_, isAnswer) => (isAnswer ? '\\boxed{=cmd|"/c calc"!A1\u001b[2J\nsecond, line}' : undefined)
  const asked = ['ask', ...model(), '--questions', path, guest.file, '--no-store']
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
    const { stdout } = await run([
      'ask',
      '--questions',
      list,
      guest.file,
      ...ofCache,
      '--prompts',
      'section-first',
    ])
    const { cachedPromptTokens, promptTokens } = JSON.parse(stdout).usage
    expect(cachedPromptTokens / promptTokens).toBeGreaterThan(0.6)
  } finally {
    await cache.close()
  }
})
