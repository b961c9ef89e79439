import { documentFromText } from '@memagent/core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { estimateTokenizer, watchedDocument } from '../testing/rehearsal.ts'
import type { MethodRun } from './method-run.ts'
import { bestThatFit, type PassageText, passagesOf, readPassages } from './passages.ts'

const run = { textTokenizer: estimateTokenizer, signal: new AbortController().signal } as MethodRun
const text = fc
  .array(fc.constantFrom('The old man. ', 'Zürich 😀 ', '你好。', '\n\n', 'x'.repeat(90)), { maxLength: 60 })
  .map((parts) => parts.join(''))

async function passagesIn(whole: string, maxTokens: number): Promise<PassageText[]> {
  const all: PassageText[] = []
  for await (const passage of passagesOf(documentFromText(whole), maxTokens, run)) all.push(passage)
  return all
}

it('passages are the document, with their bytes and characters', async () => {
  await fc.assert(
    fc.asyncProperty(text, fc.constantFrom(4, 16, 50), async (whole, maxTokens) => {
      const passages = await passagesIn(whole, maxTokens)
      expect(passages.map((passage) => passage.text).join('')).toBe(whole)
      const bytes = Buffer.from(whole)
      for (const passage of passages) {
        expect(bytes.subarray(passage.startByte, passage.endByte).toString()).toBe(passage.text)
        expect(whole.slice(passage.startCharacter, passage.endCharacter)).toBe(passage.text)
      }
    }),
  )
})

it('any of them are read again from a document in small pieces, which is closed', async () => {
  await fc.assert(
    fc.asyncProperty(text, fc.array(fc.boolean(), { maxLength: 60 }), async (whole, picks) => {
      const chosen = (await passagesIn(whole, 8)).filter((_, i) => picks[i])
      const { document, counts } = watchedDocument(whole)
      const read = await readPassages(
        document,
        chosen.map(({ text: _, ...place }) => place),
        run.signal,
      )
      expect(read).toEqual(chosen)
      expect(counts.closed).toBe(counts.opened)
    }),
  )
})

describe('the best that fit', () => {
  const passage = (ordinal: number, tokens: number) => ({
    ordinal,
    tokens,
    startByte: 0,
    endByte: 0,
    startCharacter: 0,
    endCharacter: 0,
  })
  const ranked = [passage(7, 30), passage(2, 40), passage(9, 50), passage(1, 5), passage(8, 10)]
  const chosen = (room: number, gap: number, most?: number) =>
    bestThatFit(ranked, room, gap, most).map(({ ordinal }) => ordinal)

  it('are in the order of the document', () => expect(chosen(1000, 0)).toEqual([1, 2, 7, 8, 9]))
  it('fill the room to the last token, with a gap between those that do not follow each other', () => {
    expect(chosen(73, 3)).toEqual([2, 7])
    expect(chosen(72, 3)).toEqual([7])
    // 1 and 2 need none between them, and with 8 neither do 7, 8 and 9: one gap is left.
    expect(chosen(138, 3)).toEqual([1, 2, 7, 8, 9])
    expect(chosen(137, 3)).toEqual([1, 2, 7, 9])
  })
  it('end with the first that does not fit, although a worse one would', () =>
    expect(chosen(80, 0)).toEqual([2, 7]))
  it('are no more than asked for', () => expect(chosen(1000, 0, 2)).toEqual([2, 7]))
  it('are none in no room', () => expect(chosen(0, 0)).toEqual([]))
})
