/** How long a server asks to be left alone, in the headers that servers use for it. */
import type { HttpReply } from './http-exchange.ts'

type Reply = Pick<HttpReply, 'status' | 'headers'>

/**
 * Milliseconds, from `retry-after-ms`, `retry-after` (seconds or an HTTP date), and for rate limits from the time at which
 * a spent allowance is renewed; undefined when there is nothing of the kind, or nonsense.
 */
export function askedWaitMs({ status, headers }: Reply, now: number): number | undefined {
  const milliseconds = numberOf(headers.get('retry-after-ms'))
  if (milliseconds !== undefined) return milliseconds
  const after = headers.get('retry-after')
  const seconds = numberOf(after)
  if (seconds !== undefined) return seconds * 1000
  const date = Date.parse(after ?? '')
  if (!Number.isNaN(date)) return Math.max(0, date - now)
  return status === 429 ? renewalMs(headers, now) : undefined
}

/** OpenAI, Groq and others name what is left of each allowance and how long until it is full: `6m0s`, `20ms`. */
function renewalMs(headers: Headers, now: number): number | undefined {
  const spent = ['requests', 'tokens'].flatMap((unit) => {
    if (numberOf(headers.get(`x-ratelimit-remaining-${unit}`)) !== 0) return []
    return durationMs(headers.get(`x-ratelimit-reset-${unit}`)) ?? []
  })
  if (spent.length > 0) return Math.max(...spent)
  const reset = numberOf(headers.get('x-ratelimit-reset') ?? headers.get('ratelimit-reset'))
  if (reset === undefined) return undefined
  // A date as milliseconds or seconds since 1970, or seconds from now.
  if (reset > 1e11) return Math.max(0, reset - now)
  return reset > 1e8 ? Math.max(0, reset * 1000 - now) : reset * 1000
}

function numberOf(text: string | null): number | undefined {
  return text !== null && /^\s*\d+(?:\.\d+)?\s*$/.test(text) ? Number(text) : undefined
}

function durationMs(text: string | null): number | undefined {
  const match = /^(?:(\d+)d)?(?:(\d+)h)?(?:(\d+)m)?(?:(\d+(?:\.\d+)?)s)?(?:(\d+(?:\.\d+)?)ms)?$/.exec(
    text?.trim() ?? '',
  )
  if (match === null || match[0] === '') return undefined
  const [days = 0, hours = 0, minutes = 0, seconds = 0, ms = 0] = match
    .slice(1)
    .map((part) => Number(part ?? 0))
  return (((days * 24 + hours) * 60 + minutes) * 60 + seconds) * 1000 + ms
}
