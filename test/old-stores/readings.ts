/** The readings whose store is kept for every version, with a server that always answers them alike. */
import { createStubServer, type StubMessage, type StubServer } from '@memagent/core/testing'

export interface OldReading {
  /** Undefined: notes. */
  readonly question?: string
  readonly options: readonly string[]
  /** How it was left: after this many calls by the limit, or by a kill during this one; undefined: it was finished. */
  readonly stoppedAfter?: number
  readonly killedAt?: number
}

/** Read from standard input, so that the readings depend on no file of the machine that made them. */
export const text = Array.from({ length: 90 }, (_, day) =>
  day === 71
    ? 'Olga Bö\u0308hm keeps the lighthouse of Møn 🗼.'
    : `Guest ${day} came on day ${day}, and paid ${(day * 37) % 100} crowns.`,
).join(' ')

export const readings: readonly OldReading[] = [
  { question: 'Which day was last?', options: [] },
  { options: [] },
  { question: 'Which day was last, says the one that was stopped?', options: [], stoppedAfter: 3 },
  // Old memories are in its log.
  { question: 'Which day was last, with recall?', options: ['--workflow', 'recall'], killedAt: 5 },
  // Replies to chunks read ahead are in its journal.
  { question: 'Who keeps the lighthouse?', options: ['--ahead', '4'], killedAt: 8 },
]

export const commandOf = ({ question, options }: OldReading, server: StubServer): string[] => [
  ...(question === undefined ? ['notes'] : ['ask', question]),
  ...['--model', 'openai:stub', '--base-url', server.baseUrl, '--chunk', '120', '--json'],
  ...options,
]

/** @param hangsAt a call that gets no reply @param tell told of every call before its reply */
export function createServerOfOld(tell: (number: number) => void, hangsAt = () => 0): Promise<StubServer> {
  let calls = 0
  return createStubServer({
    respond: async ({ messages }) => {
      const number = ++calls
      tell(number)
      if (number === hangsAt()) await new Promise(() => undefined)
      return reply(messages)
    },
  })
}

function reply(messages: readonly StubMessage[]): string {
  const prompt = messages.at(-1)!.content
  const keeper = /\S+ \S+ keeps the lighthouse of \S+/.exec(prompt)?.[0]
  const guest = prompt.match(/Guest \d+ came on day \d+/g)?.at(-1)
  const note = prompt.includes('Who keeps') ? (keeper ?? 'Nothing of a keeper so far') : guest
  if (prompt.includes('<update>')) return `<update>${note}.</update>`
  return prompt.includes('<section>') ? `${note}.` : `\\boxed{${note}}`
}
