/** A tokenizer file whose pattern never finishes neither hangs the command nor keeps signals from ending it. */
import { writeFile } from 'node:fs/promises'
import { createStubServer, type StubServer, temporaryFolder, tinyTokenizerJson } from '@memagent/core/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { runCommand } from './run-cli.ts'

const folder = temporaryFolder(beforeAll, afterAll)
let server: StubServer
beforeAll(async () => {
  server = await createStubServer({ respond: () => 'x' })
  const split = { type: 'Split', pattern: { Regex: '(x+x+)+y' }, behavior: 'Isolated', invert: false }
  const bytes = { type: 'ByteLevel', add_prefix_space: false, use_regex: false }
  const file = { ...tinyTokenizerJson(), pre_tokenizer: { type: 'Sequence', pretokenizers: [split, bytes] } }
  await writeFile(folder.join('evil.json'), JSON.stringify(file))
})
afterAll(() => server.close())

const ask = (onStart?: Parameters<typeof runCommand>[1]) =>
  runCommand(
    [
      'ask',
      'Who?',
      '--model',
      'openai:stub',
      '--base-url',
      server.baseUrl,
      '--tokenizer',
      folder.join('evil.json'),
    ],
    { input: `${'x'.repeat(90)} is here.`, ...onStart },
  )

it('is reported with its file and its pattern', { timeout: 60_000 }, async () => {
  const { code, stdout, stderr } = await ask()
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toMatch(/evil\.json was stopped after 5\.\d+ seconds on a text of \d+ characters/)
  expect(stderr).toContain('"(x+x+)+y"')
  expect(stderr).toContain('tokenizer/too-slow')
})

it.each(['SIGINT', 'SIGTERM'] as const)(
  'lets %s end the process while it runs',
  { timeout: 60_000 },
  async (signal) => {
    const { code, signal: endedBy } = await ask({
      onStart: (child) => {
        // Repeated, as by a person who presses the key again, from when the pattern is likely to be running.
        const start = setTimeout(() => {
          const again = setInterval(() => child.kill(signal), 200)
          child.on('close', () => clearInterval(again))
        }, 2000)
        child.on('close', () => clearTimeout(start))
      },
    })
    expect([130, signal]).toContain(code ?? endedBy)
  },
)
