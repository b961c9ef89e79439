import { writeFileSync } from 'node:fs'
import type { TextPiece } from '@memagent/core'
import { temporaryFolder } from '@memagent/core/testing'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openDocuments } from './open-documents.ts'

const folder = temporaryFolder(beforeEach, afterEach)

async function piecesOf(paths: readonly string[]): Promise<TextPiece[]> {
  const pieces: TextPiece[] = []
  for await (const piece of (await openDocuments(paths)).open()) pieces.push(piece)
  return pieces
}

it('joins files with a line break where words would meet, and counts offsets and lines in each', async () => {
  const paths = ['a.txt', 'b.txt'].map((name) => folder.join(name))
  writeFileSync(paths[0]!, 'é 12')
  writeFileSync(paths[1]!, '34\n')
  const [a, b] = paths as [string, string]
  expect(await piecesOf(paths)).toEqual([
    { text: 'é 12', source: a, offsetBytes: 0, lengthBytes: 5, position: { line: 1 } },
    { text: '\n', source: a, offsetBytes: 5, lengthBytes: 1 },
    { text: '34\n', source: b, offsetBytes: 0, lengthBytes: 3, position: { line: 1 } },
  ])
})

it('is known by its content, not by its paths', async () => {
  const paths = ['a.txt', 'b.txt', 'c.txt'].map((name) => folder.join(name))
  for (const [i, path] of paths.entries()) writeFileSync(path, i === 2 ? 'other' : 'same')
  const [a, b, c] = await Promise.all(paths.map(async (path) => (await openDocuments([path])).fingerprint!()))
  expect(a).toBe(b)
  expect(a).not.toBe(c)
})
