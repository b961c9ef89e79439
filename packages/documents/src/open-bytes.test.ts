import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TextDocument } from '@memagent/core'
import { afterAll, describe, expect, it } from 'vitest'
import { openBytes } from './open-bytes.ts'
import { openDocuments } from './open-documents.ts'

const folder = mkdtempSync(join(tmpdir(), 'open-bytes-'))
afterAll(() => rmSync(folder, { recursive: true }))

async function piecesOf(document: TextDocument) {
  const pieces: unknown[] = []
  for await (const piece of document.open()) pieces.push(piece)
  return pieces
}

describe('bytes of a file', () => {
  it.each([
    ['notes.md', '# Tide\nThe tide came in before dawn.\n'],
    ['table.csv', 'name,town\nHilda,Kell\n'],
    ['page.html', '<!doctype html><title>x</title><p>The tide came in.</p>'],
    ['empty.txt', ''],
  ])('%s are the same text, positions and identity as the file', async (name, text) => {
    const path = join(folder, name)
    writeFileSync(path, text)
    const [bytes, file] = [openBytes(await readFile(path), path), await openDocuments([path])]
    expect(await piecesOf(bytes)).toEqual(await piecesOf(file))
    // Also when read again.
    expect(await piecesOf(bytes)).toEqual(await piecesOf(file))
    expect(await bytes.fingerprint!()).toBe(await file.fingerprint!())
  })

  it('that no loader reads are refused by name', async () => {
    const png = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13])
    await expect(piecesOf(openBytes(png, 'photo.png'))).rejects.toThrow('photo.png')
  })
})
