import { expect, it } from 'vitest'
import { takesProse } from './takes-prose.ts'

it.each([
  ['facts-in-prose', {}, true],
  ['mixed', { tasks: {} }, true],
  ['module', { path: 'task.ts' }, true],
  ['jsonl', { path: 'a.jsonl' }, false],
  ['jsonl', { path: 'a.jsonl', pad: true }, true],
  ['longbench', {}, false],
  ['ruler-hqa', {}, false],
  ['real-documents', {}, false],
  ['real-documents', { padding: 'prose' }, true],
  ['variable-tracking', {}, false],
  ['niah-single-1', {}, false],
  ['niah-single-2', {}, true],
  ['niah-single-2', { essays: 'essays.json' }, false],
])('%s with %o takes prose: %s', async (name, options, takes) => {
  expect(await takesProse(name, options)).toBe(takes)
})
