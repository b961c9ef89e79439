import { expect, it } from 'vitest'
import { usageText } from './shown-run.ts'

it.each([
  [{ calls: 2 }, '2 calls, 90 prompt tokens, 7 generated'],
  [{ calls: 2, unreportedCalls: 2 }, '2 calls, the server did not report the tokens'],
  [
    { calls: 3, unreportedCalls: 2 },
    '3 calls, 90 prompt tokens, 7 generated; the server did not report the tokens of 2 of them',
  ],
])('tells the usage %j', (calls, text) => {
  const rest = { chunkTokens: 1, bytes: 1, keptMemories: 0 }
  expect(usageText({ promptTokens: 90, completionTokens: 7, ...rest, ...calls })).toBe(text)
})
