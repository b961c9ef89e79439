/** `memagent ask` as a person or a script runs it: files, standard input, odd input, and what comes out. */
import { execFile } from 'node:child_process'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { createHuggingFaceTokenizer, type ReadingWarning } from '@memagent/core'
import { createStubServer, type StubReply, type StubServer, temporaryFolder } from '@memagent/core/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { noteNumbers } from './note-numbers.ts'
import { type CommandResult, runCommand } from './run-cli.ts'

const root = resolve(import.meta.dirname, '../..')

const folder = temporaryFolder(beforeAll, afterAll)
let server: StubServer
const path = (name: string) => folder.join(name)
const ask = (args: readonly string[], input?: string | Uint8Array) =>
  runCommand(
    ['ask', '--model', 'openai:stub', '--base-url', server.baseUrl, 'Which numbers are there?', ...args],
    input === undefined ? {} : { input },
  )

beforeAll(async () => {
  server = await createStubServer({ respond: noteNumbers })
  await writeFile(path('one.txt'), 'First comes 17.')
  await writeFile(path('two.txt'), 'Then comes 23.')
  await writeFile(path('empty.txt'), '')
  await writeFile(path('nothing.txt'), 'Nobody came.')
  await writeFile(path('report.djvu'), 'AT&TFORM\0\0\x12\x34DJVM')
  await mkdir(path('nothing'))
  await writeFile(
    path('binary.bin'),
    Uint8Array.from({ length: 4000 }, (_, i) => (i * 89) % 256),
  )
  await writeFile(path('latin1.txt'), Uint8Array.of(0x63, 0x61, 0x66, 0xe9, 0x20, 0x34, 0x32))
})
afterAll(() => server.close())

describe('ask', { timeout: 60_000 }, () => {
  it('reads several files in order and prints only the answer on standard output', async () => {
    const { code, stdout, stderr } = await ask([path('one.txt'), path('two.txt')])
    expect(stderr).not.toMatch(/error/)
    expect({ code, stdout }).toEqual({ code: 0, stdout: '17 23\n' })
  })

  it('reads standard input, with and without a dash', async () => {
    for (const args of [[], ['-']]) {
      expect((await ask([...args, '--quiet'], 'There are 5 and 8.')).stdout).toBe('5 8\n')
    }
  })

  it('reads standard input in its place among files', async () => {
    const { stdout } = await ask([path('one.txt'), '-', path('two.txt'), '--quiet'], 'There are 5 and 8.')
    expect(stdout).toBe('17 5 8 23\n')
  })

  it('treats an empty text as a mistake, from a file, a pipe, a closed input', async () => {
    const inputs = [await ask([path('empty.txt')]), await ask(['-'], ' \n\n')]
    const command = [process.execPath, '--conditions=@memagent/source', 'packages/cli/src/bin.ts']
    const args = ['ask', 'Who?', '--model', 'openai:stub', '--base-url', server.baseUrl]
    const closed = await new Promise<CommandResult>((done) => {
      const line = [...command, ...args].map((word) => `'${word}'`).join(' ')
      execFile('sh', ['-c', `${line} <&-`], { cwd: root }, (error, stdout, stderr) =>
        done({ code: Number(error?.code ?? 0), signal: null, stdout, stderr }),
      )
    })
    for (const { code, stdout, stderr } of [...inputs, closed]) {
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
      expect(stderr).toMatch(/There is no text in (standard input|.*empty\.txt): [\s\S]*--allow-empty/)
    }
  })

  it('names content that is not text, and a command that extracts its text, whatever is allowed', async () => {
    const djvu = path('report.djvu')
    const { code, stdout, stderr } = await ask([djvu, '--replace-invalid', '--allow-empty'])
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toContain(`${djvu} is a DjVu book`)
    expect(stderr).toContain(`djvutxt ${djvu} | memagent ask`)
  })

  it('prints one JSON document with what happened', async () => {
    const { code, stdout } = await ask([path('one.txt'), '--json'])
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({
      answer: '17',
      outcome: 'found',
      memory: '17',
      steps: 1,
      model: expect.stringContaining('stub'),
      workflow: 'overwrite',
      usage: { bytes: 15 },
      seconds: expect.any(Number),
    })
  })

  it('reports the prompts and the window of a model without a profile, and takes one from a file', async () => {
    const without = await ask([path('one.txt'), '--json'])
    expect(without.stderr).toMatch(
      /openai:stub.* has no profile: reading with the paper prompts, a window of 8,192 tokens and chunks of 5,000\. Use --profile FILE to give it one\./,
    )
    expect(JSON.parse(without.stdout).profile).toMatchObject({ prompts: 'paper', budget: { window: 8192 } })
    const file = join(root, 'models/nano/profile.json')
    const { name, prompts, budget } = JSON.parse(await readFile(file, 'utf8'))
    const named = await ask([path('one.txt'), '--events', '--profile', file])
    expect(named.stderr).not.toContain('profile')
    expect(JSON.parse(named.stdout.split('\n')[0]!)).toMatchObject({
      type: 'reading-start',
      profile: { name, prompts, budget },
    })
  })

  it('prints events as JSON lines that end with the answer', async () => {
    const { stdout } = await ask([path('one.txt'), '--events'])
    const events = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(events[0].type).toBe('reading-start')
    expect(events.map(({ type }) => type)).toContain('memory-end')
    expect(events.at(-1)).toMatchObject({ type: 'answer', answer: { text: '17', outcome: 'found' } })
  })

  it('also prints a failure as the last event', async () => {
    const { code, stdout } = await ask([path('empty.txt'), '--events'])
    expect(code).toBe(1)
    expect(JSON.parse(stdout.trim().split('\n').at(-1)!)).toMatchObject({
      type: 'failure',
      outcome: 'failed',
      error: { code: 'document/no-text' },
      warnings: [],
    })
  })

  it('says so when the text holds no answer, also for an empty text where that is allowed', async () => {
    const empty = await ask([path('empty.txt'), '--allow-empty'])
    for (const result of [empty, await ask([], 'No digits here.')]) {
      expect(result.code).toBe(3)
      expect(result.stdout).toBe('No answer was found in the text.\n')
    }
    expect(JSON.parse((await ask(['--json', '--allow-empty', path('empty.txt')])).stdout)).toMatchObject({
      outcome: 'not-found',
      steps: 0,
    })
  })

  it('names an empty file among others behind the answer, with --quiet, too', async () => {
    const { code, stderr } = await ask([path('empty.txt'), path('one.txt'), '--quiet'])
    expect([code, stderr]).toEqual([0, expect.stringMatching(/^note: There is no text in .*empty\.txt\.$/m)])
  })

  it.each([
    ['a missing file', () => [path('absent.txt')], 1, /absent\.txt/],
    ['an empty folder', () => [path('nothing')], 1, /no file to read in the folder/],
    ['standard input twice', () => ['-', path('one.txt'), '-'], 2, /Standard input \(-\) is given more/],
    ['a binary file', () => [path('binary.bin')], 1, /binary\.bin/],
    ['text that is not UTF-8', () => [path('latin1.txt')], 1, /UTF-8/],
    [
      'an unknown workflow',
      () => [path('one.txt'), '--workflow', 'telepathy'],
      2,
      /telepathy[\s\S]*overwrite/,
    ],
    ['an unknown backend', () => [path('one.txt'), '--model', 'oracle:x'], 2, /oracle/],
    ['a tokenizer that is none', () => [path('one.txt'), '--tokenizer', path('two.txt')], 2, /two\.txt/],
    ['a chunk of nothing', () => [path('one.txt'), '--chunk', '0'], 2, /--chunk/],
    ['an unknown option', () => [path('one.txt'), '--nonsense'], 2, /--nonsense/],
  ] as const)('tells clearly what is wrong with %s', async (_name, args, wanted, message) => {
    const { code, stdout, stderr } = await ask(args())
    expect(stderr).toMatch(message)
    expect(stderr).not.toMatch(/\n\s+at .*:\d+:\d+/)
    expect({ code, stdout }).toEqual({ code: wanted, stdout: '' })
  })

  describe('distinguishes found, not found, unsure and failed', () => {
    const refusal = "I'm sorry, I can't help with that."
    const cut = { text: '\\boxed{4821', finishReason: 'length' }
    const askOf = async (update: StubReply, answer: StubReply, args: readonly string[] = []) => {
      const other = await createStubServer({
        respond: ({ messages }) => (messages.at(-1)!.content.includes('<section>') ? update : answer),
      })
      // Without it, failed runs would be resumed.
      const model = ['--model', 'openai:stub', '--base-url', other.baseUrl, '--no-store']
      const result = await runCommand(['ask', 'What?', path('one.txt'), ...model, ...args])
      await other.close()
      return { ...result, calls: other.callCount }
    }

    it.each([
      ['an answer', 'A note.', '\\boxed{4821}', 0, 'found', /^4821\n$/, /^(?!.*unsure)/s],
      [
        'none',
        'A note.',
        '\\boxed{not in the text}',
        3,
        'not-found',
        /No answer was found/,
        /^(?!.*unsure)/s,
      ],
      ['an answer without a box', 'A note.', '4821', 4, 'unsure', /^4821\n$/, /unsure: .*boxed/],
      [
        'none after a cut memory',
        { text: 'A note. And', finishReason: 'length' },
        '\\boxed{not in the text}',
        4,
        'unsure',
        /may be incomplete/,
        /unsure: .*token limit/,
      ],
    ] as const)('%s', async (_, update, answer, code, outcome, stdout, stderr) => {
      const told = await askOf(update, answer)
      expect(told.code).toBe(code)
      expect(told.stdout).toMatch(stdout)
      expect(told.stderr).toMatch(stderr)
      const json = await askOf(update, answer, ['--json', '--quiet'])
      expect(json.code).toBe(code)
      const record = JSON.parse(json.stdout)
      expect(record.outcome).toBe(outcome)
      const touching = record.warnings.filter((warning: ReadingWarning) => warning.touchesAnswer)
      expect(touching).toHaveLength(outcome === 'unsure' ? 1 : 0)
    })

    // `test/faults/servers.test.ts` has every other failure.
    it.each([
      ['a box that was cut', 'A note.', cut, 'chat/answer-cut', 3],
      ['refusals alone', refusal, refusal, 'chat/nothing-said', 1],
    ] as const)('%s', async (_, update, answer, error, calls) => {
      const told = await askOf(update, answer)
      expect({ code: told.code, stdout: told.stdout, calls: told.calls }).toEqual({
        code: 1,
        stdout: '',
        calls,
      })
      expect(told.stderr).toContain(`(${error})`)
      const json = await askOf(update, answer, ['--json', '--quiet'])
      expect(json.code).toBe(1)
      const record = JSON.parse(json.stdout)
      expect(record).toMatchObject({ outcome: 'failed', error: { code: error } })
      expect(record.warnings).toMatchObject([{ code: calls === 1 ? 'memory-refused' : 'answer-asked-again' }])
    })
  })

  it('replaces invalid bytes on request', async () => {
    expect((await ask([path('latin1.txt'), '--replace-invalid'])).stdout).toBe('42\n')
  })

  it('prints errors as JSON, too', async () => {
    const { code, stdout } = await ask([path('absent.txt'), '--json'])
    expect(code).toBe(1)
    expect(JSON.parse(stdout).error).toMatchObject({ code: expect.any(String), message: expect.any(String) })
  })

  it('counts with the given tokenizer', async () => {
    const file = join(import.meta.dirname, '../../models/nano/tokenizer.json')
    const tokenizer = createHuggingFaceTokenizer(JSON.parse(await readFile(file, 'utf8')))
    const countTokens = (text: string) => tokenizer.count(text) as number
    const other = await createStubServer({ respond: noteNumbers, countTokens })
    const args = ['--model', 'openai:stub', '--base-url', other.baseUrl, '--json', '--tokenizer', file]
    const { stdout } = await runCommand(['ask', 'Which numbers are there?', path('one.txt'), ...args])
    await other.close()
    expect(JSON.parse(stdout)).toMatchObject({
      answer: '17',
      usage: { chunkTokens: countTokens('First comes 17.') },
    })
  })

  it('does not let a server or a file name steer the terminal in an error', async () => {
    const other = await createStubServer({
      faults: () => ({ kind: 'status', status: 400, message: 'no \u001b[2J' }),
    })
    const args = ['--model', 'openai:stub', '--base-url', other.baseUrl]
    const rejected = await runCommand(['ask', 'What?', path('one.txt'), ...args])
    await other.close()
    const missing = await runCommand(['ask', 'What?', path('\u001b[31mred.txt'), ...args])
    for (const { code, stderr } of [rejected, missing]) {
      expect(code).toBe(1)
      expect(stderr).not.toContain('\u001b')
      expect(stderr).toMatch(/error: .*\\x1b\[/)
    }
  })

  it('does not let a document steer the terminal', async () => {
    const other = await createStubServer({ respond: () => '\\boxed{\u001b[2Jgone\u202e}' })
    const { stdout, stderr } = await runCommand(
      ['ask', 'What?', path('one.txt'), '--model', 'openai:stub', '--base-url', other.baseUrl],
      {},
    )
    await other.close()
    expect(stdout).toBe('\\x1b[2Jgone\n')
    expect(stderr).not.toContain('\u001b[2J')
  })
})
