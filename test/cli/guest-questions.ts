/** Questions about a list of guests, asked of a stub whose memory depends on the question and on every chunk. */
import { writeFile } from 'node:fs/promises'
import { createStubServer, type StubCall, type StubServer, temporaryFolder } from '@memagent/core/testing'
import { afterAll, beforeAll, beforeEach } from 'vitest'
import { runMain } from '../../packages/cli/src/testing/run-main.ts'
import { type CommandOptions, runCommand } from './run-cli.ts'

interface Options {
  readonly input?: string
  readonly environment?: Record<string, string>
}

export const questions = ['Who came first?', 'Who came last?', 'How many came?', 'Who came on day 7?']

const guests = Array.from({ length: 400 }, (_, i) => `Guest ${i} came on day ${i}.`).join(' ')

/** The content of a part of the prompt. */
const part = (prompt: string, name: string) =>
  prompt.split(`<${name}>`)[1]?.split(`</${name}>`)[0]?.trim() ?? ''

function fold(text: string): string {
  let hash = 0x811c9dc5
  for (const character of text) hash = Math.imul(hash ^ character.codePointAt(0)!, 0x01000193) >>> 0
  return hash.toString(16)
}

/** The lines of JSON in what a command printed. */
export const rowsOf = (stdout: string) =>
  stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))

/** For the tests of one file, each with a store and a text of its own. */
export function guestQuestions() {
  const folder = temporaryFolder(beforeAll, afterAll)
  let server: StubServer
  let number = 0
  let data = ''
  const guest = {
    /** The question of each call of the model in this test. */
    calls: [] as string[],
    onCall: undefined as ((call: StubCall) => void) | undefined,
    /** What the model says, where it is defined. */
    reply: undefined as ((question: string, isAnswer: boolean) => string | undefined) | undefined,
    isDown: undefined as ((question: string) => boolean) | undefined,
    /** The text. */
    file: '',
    model: () => ['--model', 'openai:stub', '--base-url', server.baseUrl, '--chunk', '100', '--retries', '0'],
    /** A path that no other test has. */
    newPath: (ending = '') => folder.join(`${number++}${ending}`),
    async fileOf(lines: readonly string[], ending = '.txt') {
      const path = guest.newPath(ending)
      await writeFile(path, lines.join('\n'))
      return path
    },
    /** In this process. */
    run: (args: readonly string[], options: Options = {}) =>
      runMain(args, { ...options, environment: { XDG_DATA_HOME: data, ...options.environment } }),
    /** The real command. */
    command: (args: readonly string[], options: CommandOptions = {}) =>
      runCommand(args, { ...options, environment: { XDG_DATA_HOME: data, ...options.environment } }),
    ask: (args: readonly string[], options?: Options) =>
      guest.run(['ask', ...guest.model(), ...args], options),
  }
  beforeAll(async () => {
    server = await createStubServer({
      respond: (call) => {
        const prompt = call.messages.at(-1)!.content
        const question = part(prompt, 'problem')
        const memory = part(prompt, 'memory')
        const section = part(prompt, 'section')
        guest.calls.push(question)
        guest.onCall?.(call)
        const given = guest.reply?.(question, section === '')
        if (given !== undefined) return given
        return section === '' ? `\\boxed{${memory}}` : `state ${fold(question + memory + section)}`
      },
      faults: (call) =>
        guest.isDown?.(part(call.messages.at(-1)!.content, 'problem'))
          ? { kind: 'status', status: 400 }
          : undefined,
      delayMs: 2,
      isRecording: false,
    })
  })
  afterAll(() => server.close())
  beforeEach(async () => {
    data = guest.newPath()
    guest.file = await guest.fileOf([guests])
    guest.calls = []
    guest.onCall = guest.reply = guest.isDown = undefined
  })
  return guest
}
