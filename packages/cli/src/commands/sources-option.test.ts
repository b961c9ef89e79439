/** How `memagent ask` and `notes` end: with their sources. */
import { rename, writeFile } from 'node:fs/promises'
import { createStubServer, type StubServer, temporaryFolder } from '@memagent/core/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { runMain } from '../testing/run-main.ts'

const folder = temporaryFolder(beforeAll, afterAll)
const text = 'It rained.\nThe code of\tgate 7 is \u001b[31m 4711\u202e. Nobody came.\n'
const quote = 'The code of\tgate 7 is \u001b[31m 4711\u202e.'
let server: StubServer
let answer = '\\boxed{4711}'
let onAnswer: (() => Promise<void>) | undefined
beforeAll(async () => {
  await writeFile(folder.join('text.txt'), text)
  server = await createStubServer({
    respond: async ({ messages }) => {
      if (messages.at(-1)!.content.includes('<section>')) return 'The code of gate 7 is 4711.'
      await onAnswer?.()
      return answer
    },
  })
})
afterAll(() => server.close())

const run = (command: readonly string[], ...flags: readonly string[]) =>
  runMain([
    ...command,
    folder.join('text.txt'),
    '--model',
    'openai:stub',
    '--base-url',
    server.baseUrl,
    '--quiet',
    ...flags,
  ])
const ask = (...flags: readonly string[]) => run(['ask', 'Which code?'], ...flags)

it('says file, line and passage, safe for a terminal, and leaves standard output to the answer', async () => {
  const { code, stdout, stderr } = await ask()
  expect({ code, stdout }).toEqual({ code: 0, stdout: '4711\n' })
  expect(stderr).toBe(
    `Sources:\n  ${folder.join('text.txt')}, line 2: "The code of gate 7 is \\x1b[31m 4711."\n`,
  )
})

it('tells a program bytes and steps, and the verdict of every statement', async () => {
  const { sources, statements } = JSON.parse((await ask('--json')).stdout)
  const startByte = text.indexOf('The code')
  const source = {
    quote,
    file: folder.join('text.txt'),
    line: 2,
    startByte,
    endByte: startByte + Buffer.byteLength(quote),
    step: 0,
  }
  expect(sources).toEqual([source])
  expect(statements).toEqual({
    answer: [{ text: '4711', verdict: 'found', sources: [source] }],
    memory: [{ text: 'The code of gate 7 is 4711.', step: 0, verdict: 'found', sources: [source] }],
  })
})

it('marks an answer that no passage says', async () => {
  answer = '\\boxed{4712}'
  const { code, stdout, stderr } = await ask()
  expect({ code, stdout }).toEqual({ code: 0, stdout: '4712\n' })
  expect(stderr).toMatch(
    /^No passage was found for: 4712\nwarning: No passage of the text was found .* look it up .*\n$/,
  )
  const { outcome, warnings } = JSON.parse((await ask('--json')).stdout)
  expect(outcome).toBe('found')
  expect(warnings).toMatchObject([{ code: 'unsourced-answer', touchesAnswer: false }])
  expect((await ask('--verify')).code).toBe(4)
  answer = '\\boxed{4711}'
})

it('shows for an answer that no passage says what comes nearest, and tells a program the same', async () => {
  answer = '\\boxed{The code of gate 7 is unknown to everybody here.}'
  const { stderr } = await ask()
  expect(stderr).toContain(
    `No passage was found for: The code of gate 7 is unknown to everybody here.\n  nearest: ${folder.join('text.txt')}, line 2: "The code of gate 7`,
  )
  const { sources, statements } = JSON.parse((await ask('--json')).stdout)
  expect(sources).toEqual([])
  expect(statements.answer).toMatchObject([
    { verdict: 'not-found', sources: [], nearest: [{ quote, line: 2 }] },
  ])
  answer = '\\boxed{4711}'
})

it('looks for no sources with --no-sources', async () => {
  expect(await ask('--no-sources')).toEqual({ code: 0, stdout: '4711\n', stderr: '' })
  const whole = JSON.parse((await ask('--no-sources', '--json')).stdout)
  expect(whole).not.toHaveProperty('sources')
})

it('has them again from the checkpoint of a finished run', async () => {
  const first = await ask('--json', '--checkpoint', folder.join('run.json'))
  const again = await ask('--json', '--checkpoint', folder.join('run.json'))
  expect(JSON.parse(again.stdout).sources).toEqual(JSON.parse(first.stdout).sources)
})

it('reads the passages again with --verify', async () => {
  const { code, stderr } = await ask('--verify')
  expect(code).toBe(0)
  expect(stderr).toContain('Verified: these passages still support the result.\n')
  expect(JSON.parse((await ask('--verify', '--json')).stdout).verified).toEqual([
    { text: '4711', stands: true },
  ])
})

it('answers with --verify, too, where the text is gone by then: nothing stands', async () => {
  onAnswer = () => rename(folder.join('text.txt'), folder.join('gone.txt'))
  const { code, stdout, stderr } = await ask('--verify', '--no-store').finally(async () => {
    onAnswer = undefined
    await rename(folder.join('gone.txt'), folder.join('text.txt'))
  })
  expect({ code, stdout }).toEqual({ code: 4, stdout: '4711\n' })
  expect(stderr).toMatch(
    /note: The passages cannot be read again: Cannot read .*text\.txt.*\ndoes not stand: 4711\n/s,
  )
})

it('says with --events, too, and of several questions in CSV, what does not stand', async () => {
  answer = '\\boxed{4712}'
  const { code, stderr } = await ask('--verify', '--events')
  expect(code).toBe(4)
  expect(stderr).toContain('does not stand: 4712\n')
  await writeFile(folder.join('questions.csv'), 'id,question\na,Which code?\n')
  const several = (format: string[]) =>
    run(['ask', '--questions', folder.join('questions.csv')], '--verify', ...format)
  expect((await several(['--events'])).stderr).toContain('a. does not stand: 4712\n')
  expect((await several(['--format', 'csv'])).stdout).toContain('does not stand: 4712')
  answer = '\\boxed{4711}'
})

it('refuses --verify where nothing could be read again', async () => {
  expect((await ask('--verify', '--no-sources')).code).toBe(2)
  const piped = await runMain(
    ['ask', 'Which code?', '--verify', '--model', 'openai:stub', '--base-url', server.baseUrl],
    { input: text },
  )
  expect(piped.code).toBe(2)
  expect(piped.stderr).toContain('standard input can be read only once')
})

it('says where notes come from', async () => {
  const { stdout, stderr } = await run(['notes'])
  expect(stdout).toBe('The code of gate 7 is 4711.\n')
  expect(stderr).toContain('Sources of the notes:\n')
  expect(stderr).toContain('line 2')
})

it('says that a run was begun without sources, and verifies none', async () => {
  const checkpoint = ['--checkpoint', folder.join('without-sources.json')]
  await ask('--no-sources', ...checkpoint)
  const again = await ask(...checkpoint)
  expect(again).toEqual({
    code: 0,
    stdout: '4711\n',
    stderr: 'note: No sources are told: the reading was begun without looking for them.\n',
  })
  const { code, stderr } = await ask('--verify', ...checkpoint)
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('begun with --no-sources') })
})
