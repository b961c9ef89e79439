/** A session named diary, read from a folder of notes by a stub that keeps which gates open. */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createStubServer, type StubServer, temporaryFolder } from '@memagent/core/testing'
import { afterAll, beforeAll, beforeEach } from 'vitest'
import { runMain } from '../../packages/cli/src/testing/run-main.ts'
import { type CommandOptions, runCommand } from './run-cli.ts'

interface Input {
  readonly input?: string
}

const filler = 'The sea was grey and the wind stood still, as on most days of that year. '.repeat(6)
const gatesIn = (text: string) => [...new Set(text.match(/Gate \w+ opens at \d+\./g))]

/** What a model answers that notes which gates open, and nothing else. */
function answerOf(prompt: string): string {
  const found = gatesIn(prompt)
  if (prompt.includes('<section>')) return found.join('\n') || 'No previous memory'
  const asked = /Question:.*|<problem>([\s\S]*?)<\/problem>/.exec(prompt)?.[0] ?? ''
  const wanted = found.find((fact) => asked.includes(fact.split(' ')[1]!))
  return wanted ? `\\boxed{${wanted}}` : '\\boxed{not in the text}'
}

/** For the tests of one file, each with a store and a folder of notes of its own. */
export function gateDiary() {
  const folder = temporaryFolder(beforeAll, afterAll)
  let server: StubServer
  let number = 0
  const diary = {
    /** Calls of the model in this test. */
    calls: 0,
    /** Runs before each is answered. */
    onCall: undefined as (() => unknown) | undefined,
    /** Where commands keep their data. */
    data: '',
    notes: '',
    question: ['--question', 'When do the gates open?'],
    model: () => ['--model', 'openai:stub', '--base-url', server.baseUrl, '--chunk', '60'],
    note: (name: string, text: string) => writeFile(join(diary.notes, name), `${filler}\n${text}\n${filler}`),
    /** Within this process. */
    run: (args: readonly string[], { input = '' }: Input = {}) =>
      runMain(args, { input, environment: { XDG_DATA_HOME: diary.data } }),
    /** The real command. */
    spawned: (args: readonly string[], options: CommandOptions = {}) =>
      runCommand(args, { ...options, environment: { XDG_DATA_HOME: diary.data } }),
    read: (args: readonly string[], options?: Input) =>
      diary.run(['session', 'read', 'diary', ...args, '--json', '--quiet'], options),
    async readJson(args: readonly string[], options?: Input) {
      const { stdout, stderr, code } = await diary.read(args, options)
      if (code !== 0) throw new Error(stderr)
      return JSON.parse(stdout)
    },
    async ask(asked: readonly string[] = []) {
      const { stdout, code } = await diary.run(['session', 'ask', 'diary', ...asked, '--json', '--quiet'])
      return { ...JSON.parse(stdout), code }
    },
    shown: async () => JSON.parse((await diary.run(['session', 'show', 'diary', '--json'])).stdout),
  }

  beforeAll(async () => {
    server = await createStubServer({
      respond: async ({ messages }) => {
        diary.calls++
        await diary.onCall?.()
        return answerOf(messages.at(-1)!.content)
      },
    })
  })
  afterAll(() => server.close())
  beforeEach(async () => {
    const base = folder.join(`case-${number++}`)
    diary.data = join(base, 'data')
    diary.notes = join(base, 'notes')
    await mkdir(diary.notes, { recursive: true })
    diary.calls = 0
    diary.onCall = undefined
  })
  return diary
}
