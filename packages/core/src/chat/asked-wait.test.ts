import { expect, test } from 'vitest'
import { askedWaitMs } from './asked-wait.ts'

const now = Date.parse('2026-01-01T00:00:00Z')
const asked = (headers: Record<string, string>, status = 429, text = '') =>
  askedWaitMs({ status, headers: new Headers(headers), text }, now)

test.each<[Record<string, string>, number | undefined]>([
  [{ 'retry-after-ms': '250', 'retry-after': '9' }, 250],
  [{ 'retry-after': '2' }, 2000],
  [{ 'retry-after': '0.5' }, 500],
  [{ 'retry-after': 'Thu, 01 Jan 2026 00:00:07 GMT' }, 7000],
  [{ 'retry-after': 'Wed, 31 Dec 2025 00:00:00 GMT' }, 0],
  [{ 'retry-after': 'soon' }, undefined],
  [{ 'retry-after': '-5' }, undefined],
  [{ 'retry-after': '9'.repeat(400) }, undefined],
  [{ 'retry-after': '9999999' }, undefined],
  [{}, undefined],
])('Retry-After: %o -> %s', (headers, expected) => {
  expect(asked(headers)).toBe(expected)
  expect(asked(headers, 503)).toBe(expected)
})

test.each<[Record<string, string>, number | undefined]>([
  [{ 'x-ratelimit-remaining-requests': '0', 'x-ratelimit-reset-requests': '6m0s' }, 360_000],
  [{ 'x-ratelimit-remaining-tokens': '0', 'x-ratelimit-reset-tokens': '20ms' }, 20],
  [{ 'x-ratelimit-remaining-tokens': '0', 'x-ratelimit-reset-tokens': '2m59.56s' }, 179_560],
  // An allowance that is not spent did not stop the call.
  [{ 'x-ratelimit-remaining-requests': '59', 'x-ratelimit-reset-requests': '1h' }, undefined],
  [{ 'x-ratelimit-reset': '1767225610000' }, 10_000],
  [{ 'x-ratelimit-reset': '1767225610' }, 10_000],
  [{ 'ratelimit-reset': '30' }, 30_000],
  [{ 'x-ratelimit-reset': 'tomorrow' }, undefined],
  [{ 'retry-after': '3', 'x-ratelimit-reset': '30' }, 3000],
])('of a rate limit: %o -> %s', (headers, expected) => {
  expect(asked(headers)).toBe(expected)
})

test.each([
  ['Rate limit reached for gpt-5 in organization org-1. Please try again in 6m0s. Visit', 360_000],
  ['Please try again in 20ms.', 20],
  ['Requests have exceeded the rate limit. Please retry after 26 seconds.', 26_000],
  [
    '{"error":{"message":"You exceeded your current quota. Please retry in 31.5s.","status":"RESOURCE_EXHAUSTED"}}',
    31_500,
  ],
  ['[{"error":{"details":[{"retryDelay": "41s"}]}}]', 41_000],
  ['Please try again in 1 hour 5 minutes', 3_900_000],
  ['Please try again in a while', undefined],
  ['retry in 5 sheep', undefined],
  [`retry in ${'9'.repeat(9_000)}`, undefined],
])('in words: %s -> %s', (text, expected) => {
  expect(asked({}, 429, text)).toBe(expected)
  expect(asked({ 'retry-after': '3' }, 429, text)).toBe(3000)
  expect(asked({}, 500, text)).toBeUndefined()
})

test('remaining allowances say nothing about a server error', () => {
  expect(asked({ 'x-ratelimit-reset': '30' }, 503)).toBeUndefined()
})
