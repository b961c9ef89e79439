/** Standard input that is kept, as a document. */
import { writeFile } from 'node:fs/promises'
import { temporaryFolder } from '@memagent/core/testing'
import { openDocuments } from '@memagent/documents'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { withKeptInput } from './kept-input.ts'

const folder = temporaryFolder(beforeEach, afterEach)

it.each([
  ['UTF-8', Buffer.from('Gate 7 opens.\n'), 14],
  ['UTF-8 with a byte order mark', Buffer.from('\ufeffGate 7 opens.\n'), 14],
  ['UTF-16', Buffer.from('\ufeffGate 7 opens.\n', 'utf16le'), undefined],
  ['HTML', Buffer.from('<!doctype html><p>Gate 7 opens.</p>'), undefined],
])('has the size of its text where that is known: %s', async (_, bytes, sizeBytes) => {
  const path = folder.join('kept')
  await writeFile(path, bytes)
  const kept = { name: 'kept', path, sizeBytes: bytes.length }
  const open = (standardInput: AsyncIterable<Uint8Array | string>) => openDocuments(['-'], { standardInput })
  const document = await withKeptInput(kept, true, open)
  expect([document.name, document.sizeBytes]).toEqual(['standard input', sizeBytes])
  expect((await withKeptInput(kept, false, open)).sizeBytes).toBeUndefined()
})
