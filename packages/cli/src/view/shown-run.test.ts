import { expect, it } from 'vitest'
import { endText, usageText } from './shown-run.ts'

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

it.each([
  [
    { folder: '/', files: [], flags: {}, leftOut: [], versions: [] },
    'Resume it: memagent resume abc --store s\n',
  ],
  [{ server: 1 }, 'Start the server: '],
  [{ conversation: 1 }, 'Send the same request to the server again: '],
  [undefined, 'Ask the same question about the same texts '],
])('says how a run with the settings %j goes on', (settings, text) => {
  const told = { document: 'a', model: 'a', workflow: 'a', createdMs: 0, updatedMs: 0, steps: 1 }
  const run = { ...told, id: 'abc', state: 'unfinished', identity: {}, settings } as const
  expect(endText(run, ' --store s')).toContain(`\nIt stopped here.\n${text}`)
})
