import { expect, it } from 'vitest'
import { parseNotebook } from './notebook.ts'

async function textOf(notebook: unknown): Promise<string> {
  const file = new TextEncoder().encode(typeof notebook === 'string' ? notebook : JSON.stringify(notebook))
  let text = ''
  for await (const part of parseNotebook(file)) if ('text' in part) text += part.text
  return text
}

it('reads notebooks of version 3, whose cells are in worksheets', async () => {
  const cells = [
    { cell_type: 'heading', level: 2, source: ['Tides'] },
    { cell_type: 'code', input: ['1 +\n', '1'], outputs: [{ output_type: 'pyout', text: ['2'] }] },
  ]
  expect(await textOf({ nbformat: 3, worksheets: [{ cells }] })).toBe('## Tides\n\n1 +\n1\n[output]\n2\n')
})

it('takes nothing but text from cells of any shape', async () => {
  const outputs = [
    null,
    7,
    {},
    { data: { 'image/png': 'iVBO' } },
    { ename: 'E', evalue: 3 },
    { text: [1, 'x'] },
  ]
  const cells = [
    null,
    'a',
    { source: 5 },
    { cell_type: 'code', source: ['a', 2], outputs },
    { cell_type: 'heading', level: -1, source: 'b' },
  ]
  expect(await textOf({ cells })).toBe('a\n[output]\nE:\n[output]\nx\n\n# b\n')
})

it.each([
  ['{"cells": [', 'broken', /no JSON/],
  ['[]', 'broken', /no cells/],
  ['{"cells": [{"cell_type": "code", "source": ""}]}', 'no-text', /empty/],
])('refuses %s', async (notebook, kind, message) => {
  await expect(textOf(notebook)).rejects.toMatchObject({ kind, message: expect.stringMatching(message) })
})
