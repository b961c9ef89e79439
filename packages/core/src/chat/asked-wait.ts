/** How long a server asks us to wait, from the headers and wordings that servers use. */
import type { HttpReply } from './http-exchange.ts'

/** A longer wait is a mistake of the server. */
const longestMs = 30 * 24 * 3_600_000

/**
 * Milliseconds from `retry-after-ms` or `retry-after` (seconds or an HTTP date); for rate limits also from the time at
 * which a spent allowance is renewed, or from the error message. Undefined when none of these is there or makes sense.
 */
export function askedWaitMs(reply: HttpReply, now: number): number | undefined {
  const ms = statedWaitMs(reply, now)
  return ms !== undefined && ms <= longestMs ? ms : undefined
}

function statedWaitMs({ status, headers, text }: HttpReply, now: number): number | undefined {
  const milliseconds = numberOf(headers.get('retry-after-ms'))
  if (milliseconds !== undefined) return milliseconds
  const after = headers.get('retry-after')
  const seconds = numberOf(after)
  if (seconds !== undefined) return seconds * 1000
  // `Date.parse` takes "-5" for a day in May.
  const date = Date.parse(/[a-z]/i.test(after ?? '') ? after! : '')
  if (!Number.isNaN(date)) return Math.max(0, date - now)
  return status === 429 ? (renewalMs(headers, now) ?? statedMs(text)) : undefined
}

/** `6m0s`, `20ms`: OpenAI, Groq and others report the rest of each allowance and the time until it is full. */
function renewalMs(headers: Headers, now: number): number | undefined {
  const spent = ['requests', 'tokens'].flatMap((unit) => {
    if (numberOf(headers.get(`x-ratelimit-remaining-${unit}`)) !== 0) return []
    return durationMs(headers.get(`x-ratelimit-reset-${unit}`) ?? '') ?? []
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

const units: readonly (readonly [RegExp, number])[] = [
  [/^(?:ms|milli)/i, 1],
  [/^s/i, 1000],
  [/^m/i, 60_000],
  [/^h/i, 3_600_000],
  [/^d/i, 86_400_000],
]
const part = '\\d+(?:\\.\\d+)?\\s*(?:milliseconds?|ms|seconds?|s|minutes?|min|m|hours?|h|days?|d)(?![a-z])'
const duration = new RegExp(`^\\s*(?:${part}\\s*)+$`, 'i')
const inText = new RegExp(`\\b(?:try again|retry) (?:in|after) ((?:${part}\\s?)+)`, 'i')

/** `6m0s`, `20ms`, `26 seconds` */
function durationMs(text: string): number | undefined {
  if (!duration.test(text)) return undefined
  let total = 0
  for (const [, number, unit] of text.matchAll(/(\d+(?:\.\d+)?)\s*([a-z]+)/gi)) {
    total += Number(number) * units.find(([name]) => name.test(unit!))![1]
  }
  return total
}

/** "Please try again in 6m0s", "retry after 26 seconds", and Google's `retryDelay`. */
function statedMs(text: string): number | undefined {
  const start = text.slice(0, 10_000)
  return durationMs(/"retryDelay":\s*"([^"]+)"/.exec(start)?.[1] ?? inText.exec(start)?.[1] ?? '')
}
