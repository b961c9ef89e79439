import { expect, test } from 'vitest'
import { askedWaitMs } from './asked-wait.ts'

const now = Date.parse('2026-01-01T00:00:00Z')
const asked = (headers: Record<string, string>, status = 429) =>
  askedWaitMs({ status, headers: new Headers(headers) }, now)

test.each<[Record<string, string>, number | undefined]>([
  [{ 'retry-after-ms': '250', 'retry-after': '9' }, 250],
  [{ 'retry-after': '2' }, 2000],
  [{ 'retry-after': '0.5' }, 500],
  [{ 'retry-after': 'Thu, 01 Jan 2026 00:00:07 GMT' }, 7000],
  [{ 'retry-after': 'Wed, 31 Dec 2025 00:00:00 GMT' }, 0],
  [{ 'retry-after': 'soon' }, undefined],
  [{}, undefined],
])('Retry-After: %o -> %s', (headers, expected) => {
  expect(asked(headers)).toBe(expected)
  expect(asked(headers, 503)).toBe(expected)
})

test.each<[Record<string, string>, number | undefined]>([
  [{ 'x-ratelimit-remaining-requests': '0', 'x-ratelimit-reset-requests': '6m0s' }, 360_000],
  [{ 'x-ratelimit-remaining-tokens': '0', 'x-ratelimit-reset-tokens': '20ms' }, 20],
  [{ 'x-ratelimit-remaining-tokens': '0', 'x-ratelimit-reset-tokens': '2m59.56s' }, 179_560],
  // What is left is not what stopped the call.
  [{ 'x-ratelimit-remaining-requests': '59', 'x-ratelimit-reset-requests': '1h' }, undefined],
  [{ 'x-ratelimit-reset': '1767225610000' }, 10_000],
  [{ 'x-ratelimit-reset': '1767225610' }, 10_000],
  [{ 'ratelimit-reset': '30' }, 30_000],
  [{ 'x-ratelimit-reset': 'tomorrow' }, undefined],
  [{ 'retry-after': '3', 'x-ratelimit-reset': '30' }, 3000],
])('of a rate limit: %o -> %s', (headers, expected) => {
  expect(asked(headers)).toBe(expected)
})

test('a success elsewhere in the window says nothing about a fault', () => {
  expect(asked({ 'x-ratelimit-reset': '30' }, 503)).toBeUndefined()
})
