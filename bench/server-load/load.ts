/**
 * Clients that ask a server concurrently, each something else: short conversations and texts that are read, whole and as
 * streams; some leave before the answer. Every answer must contain what its own request asked for.
 */
import type { StubMessage } from '@memagent/core/testing'

export interface LoadOptions {
  /** Ends in /v1. */
  readonly baseUrl: string
  readonly model: string
  /** How many ask at a time; each repeats its kind of request as soon as it has its answer. */
  readonly clients: number
  /** Shared by the clients, in turns. @default none are needed */
  readonly keys?: readonly string[] | undefined
  /** Called before every request. */
  readonly isOver: (requests: number) => boolean
}

export interface LoadResult {
  /** Requests that were answered with what they asked for, by kind. */
  readonly answered: Readonly<Record<string, number>>
  /** Refused with 429 and a time to try again, and tried again. */
  readonly refused: number
  /** Left before the answer. */
  readonly left: number
  /** What was wrong: no answer, the answer to another request, a failure. */
  readonly faults: readonly string[]
}

interface Kind {
  readonly name: string
  readonly isRead: boolean
  readonly streams: boolean
  readonly leaves: boolean
  /** Of a hundred clients, how many ask like this. */
  readonly share: number
}

const kinds: readonly Kind[] = [
  { name: 'short', isRead: false, streams: false, leaves: false, share: 30 },
  { name: 'short stream', isRead: false, streams: true, leaves: false, share: 15 },
  { name: 'reading', isRead: true, streams: false, leaves: false, share: 20 },
  { name: 'reading stream', isRead: true, streams: true, leaves: false, share: 20 },
  { name: 'short, left', isRead: false, streams: false, leaves: true, share: 5 },
  { name: 'reading, left', isRead: true, streams: true, leaves: true, share: 10 },
]
const order = kinds.flatMap((kind) => Array<Kind>(kind.share).fill(kind))

/** The model's part: repeats a short message; of a text it notes the one sentence about a key. */
export function replyAtOnce(messages: readonly StubMessage[]): string {
  const prompt = messages.at(-1)!.content
  const key = /The key is (\d+)/.exec(prompt)?.[1]
  if (prompt.includes('<section>')) return key ? `The key is ${key}.` : 'Nothing yet.'
  if (prompt.includes('\\boxed')) return `\\boxed{${key ?? 'not in the text'}}`
  return prompt
}

export async function load({ clients, isOver, ...server }: LoadOptions): Promise<LoadResult> {
  const answered: Record<string, number> = {}
  const faults: string[] = []
  let [requests, refused, left] = [0, 0, 0]
  const count = async (outcome: Outcome, { name }: Kind) => {
    if (typeof outcome === 'object') {
      refused++
      const againMs = performance.now() + 1000 * outcome.retryAfterSeconds
      while (performance.now() < againMs && !isOver(requests)) await pause(100)
    } else if (outcome === 'left') {
      left++
      await pause(250)
    } else if (outcome === 'answered') answered[name] = (answered[name] ?? 0) + 1
    else faults.push(outcome)
  }
  const work = async (client: number) => {
    // 37 and a hundred have no common divisor, so even few clients are of many kinds.
    const kind = order[(client * 37) % order.length]!
    const key = server.keys?.[client % server.keys.length]
    while (!isOver(requests)) {
      const number = requests++
      const failed = (error: unknown) => `${kind.name} ${number}: ${error} ${(error as Error).cause ?? ''}`
      await count(await ask(number, kind, { ...server, key }).catch(failed), kind)
    }
  }
  await Promise.all(Array.from({ length: clients }, (_, client) => work(client)))
  return { answered, refused, left, faults }
}

type Outcome = 'answered' | 'left' | string | { readonly retryAfterSeconds: number }

async function ask(
  number: number,
  { name, isRead, streams, leaves }: Kind,
  {
    baseUrl,
    model,
    key,
  }: { readonly baseUrl: string; readonly model: string; readonly key: string | undefined },
): Promise<Outcome> {
  const leaving = new AbortController()
  if (leaves) setTimeout(() => leaving.abort(), 1 + ((number * 7) % 100)).unref()
  const wanted = String(100_000 + number)
  const messages = isRead
    ? [textWith(wanted), 'What is the key?'].map(asUser)
    : [asUser(`Say again: ${wanted}`)]
  try {
    const reply = await fetch(`${baseUrl}/chat/completions`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(key !== undefined && { authorization: `Bearer ${key}` }),
      },
      body: JSON.stringify({ model, messages, stream: streams }),
      // Longer than any answer takes that is not lost.
      signal: AbortSignal.any([leaving.signal, AbortSignal.timeout(120_000)]),
    })
    const text = await reply.text()
    if (reply.status === 429) {
      const retryAfterSeconds = Number(reply.headers.get('retry-after'))
      return retryAfterSeconds > 0 ? { retryAfterSeconds } : `${name} ${number}: 429 without a time`
    }
    if (reply.status !== 200) return `${name} ${number}: ${reply.status} ${text.slice(0, 200)}`
    const content = streams ? streamedContent(text) : wholeContent(text)
    const expected = isRead ? wanted : `Say again: ${wanted}`
    return content === expected
      ? 'answered'
      : `${name} ${number}: ${JSON.stringify(content)}, not ${expected}`
  } catch (error) {
    if (leaving.signal.aborted) return 'left'
    throw error
  }
}

const asUser = (content: string) => ({ role: 'user', content })

/** Longer than the window that the load is meant for. */
function textWith(key: string): string {
  const filler = 'The sea is calm and nobody spoke of it. '
  return `${filler.repeat(60)}The key is ${key}. ${filler.repeat(60)}`
}

const wholeContent = (text: string): string => JSON.parse(text).choices[0].message.content

/** @returns undefined for a stream that did not end properly */
function streamedContent(text: string): string | undefined {
  if (!text.endsWith('data: [DONE]\n\n')) return undefined
  const events = text.split('\n\n').filter((event) => event.startsWith('data: {'))
  return events
    .map((event) => JSON.parse(event.slice('data: '.length)).choices[0]?.delta.content ?? '')
    .join('')
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
