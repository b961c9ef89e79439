import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createTextDocument } from '../documents/text-document.ts'
import { createEstimateTokenizer } from '../tokenizers/estimate.ts'
import { chunkDocument } from './chunk-document.ts'
import { lastParagraphEnd, lastSentenceEnd } from './text-ends.ts'

const paragraphEnd = /\n(?:[^\S\n]*\n)+/g
const sentenceEnd = /[.!?…][.!?…"'”’»)\]]*(?=\s)|[。！？][。！？"'”’」』）]*|\n+/g

/** The former search, slow in long runs of marks. Recorded results were read in its chunks. */
function asBefore(pattern: RegExp, window: string, from: number, last: number): number | undefined {
  const text = window.slice(0, last + 1)
  for (let end = last; end >= from && end > 0; end -= 512) {
    let found: number | undefined
    pattern.lastIndex = Math.max(0, end - 576)
    for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
      const matchEnd = match.index + match[0].length
      if (matchEnd > last) break
      if (matchEnd >= from) found = matchEnd
    }
    if (found !== undefined) return found
  }
  return undefined
}

const signs = fc.constantFrom('.', '?', '…', '"', "'", '”', ')', ']', '。', '」', '\n', ' ', '\r', 'a', '1')
const runs = fc
  .array(fc.tuple(signs, fc.oneof({ arbitrary: fc.constantFrom(1, 2, 3), weight: 9 }, fc.nat(900))), {
    maxLength: 24,
  })
  .map((parts) => parts.map(([sign, times]) => sign.repeat(times)).join(''))

/** A long end that may begin before `from`. */
const longEnd = fc
  .tuple(fc.nat(3000), fc.constantFrom('."', '。"', '\n\n', '\n '), fc.nat(900), fc.nat(3000))
  .map(([before, [sign, more], times, after]) =>
    ['a'.repeat(before), sign, more!.repeat(times), '\n'.repeat(times % 2), ' ', 'a'.repeat(after)].join(''),
  )

it('ends are where chunks have always been cut', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        runs,
        longEnd,
        fc.array(signs, { maxLength: 40 }).map((parts) => parts.join('')),
      ),
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.constantFrom(1 / 3, 2 / 3),
      (text, at, fill) => {
        const last = Math.floor(at * text.length)
        const from = Math.ceil(last * fill)
        expect(lastSentenceEnd(text, from, last)).toBe(asBefore(sentenceEnd, text, from, last))
        expect(lastParagraphEnd(text, from, last)).toBe(asBefore(paragraphEnd, text, from, last))
      },
    ),
    { numRuns: 3000 },
  )
})

it('a text of nothing but punctuation takes no longer than any other', async () => {
  const document = createTextDocument('?'.repeat(400_000))
  const options = { maxTokens: 5000, tokenizer: createEstimateTokenizer() }
  let characters = 0
  for await (const { text } of chunkDocument(document, options)) characters += text.length
  expect(characters).toBe(400_000)
}, 5000)
