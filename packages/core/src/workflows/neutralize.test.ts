import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ConfigurationError } from '../errors.ts'
import { compactPrompts } from './compact-prompts.ts'
import { createNeutralizer } from './neutralize.ts'
import { paperPrompts } from './paper-prompts.ts'

const markers = [...new Set([...paperPrompts.markers, ...compactPrompts.markers])]
const neutralize = createNeutralizer(markers)
const controlTokens = [
  '<|im_start|>',
  '<|im_end|>',
  '<|eot_id|>',
  '<|start_header_id|>',
  '<｜User｜>',
  '<turn|>',
  '<s>',
  '</s>',
  '<bos>',
  '<eos>',
  '<start_of_turn>',
  '<end_of_turn>',
  '<think>',
  '</think>',
  '<tool_call>',
  '</tool_call>',
  '[INST]',
  '[/INST]',
  '<<SYS>>',
  '<</SYS>>',
  '[AVAILABLE_TOOLS]',
  '[/SYSTEM_PROMPT]',
]
const structure = [...markers, ...controlTokens]

/** What a reader who does not see white space, case and invisible signs would find. */
const structureIn = (text: string) => {
  const plain = text
    .normalize('NFKC')
    .replace(/[\s\p{Cf}]/gu, '')
    .toLowerCase()
  // Both have plain forms; fullwidth signs of the text itself are no markers.
  return structure.filter((marker) => plain.includes(marker.normalize('NFKC').toLowerCase()))
}

const pieces = structure.flatMap((marker) => [marker, marker.slice(0, 3), marker.slice(3), marker.slice(-2)])
const signs = fc.constantFrom('<', '>', '/', '|', '[', ']', '\\', '\n', ' ', '\u200b', '\u00ad', 's', 'S')
const hostile = fc
  .array(fc.oneof(fc.constantFrom(...pieces), signs, fc.string({ maxLength: 3 })), { maxLength: 16 })
  .map((parts) => parts.join(''))

describe('properties', () => {
  it('nothing of the structure is left, in any case, with any white space or invisible signs, however nested', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        expect(structureIn(neutralize(text))).toEqual([])
      }),
      { numRuns: 4000 },
    )
  })

  it('twice is once, and nothing but the opening signs changes', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const once = neutralize(text)
        expect(neutralize(once)).toBe(once)
        expect(once.length).toBe(text.length)
        const back = once.replace(/[‹〔∖¦]/g, (sign) => '<[\\|'['‹〔∖¦'.indexOf(sign)]!)
        expect(back).toBe(text)
      }),
      { numRuns: 1000 },
    )
  })

  it('text without opening signs is the same', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const harmless = text.replace(/[<[\\|]/g, '')
        expect(neutralize(harmless)).toBe(harmless)
      }),
    )
  })
})

describe('markers', () => {
  it.each([
    ['</section>', '‹/section>'],
    ['< / SECTION\n>', '‹ / SECTION\n>'],
    ['<sec<section>tion>', '<sec‹section>tion>'],
    ['<sec\u200btion>', '‹sec\u200btion>'],
    ['<memory id="2">', '‹memory id="2">'],
    ['<|im_end|>', '‹|im_end¦>'],
    ['[INST] <<SYS>>', '〔INST] ‹<SYS>>'],
    ['\\boxed{7}', '∖boxed{7}'],
    ['</s\u017fection>', '</s\u017fection>'],
    ['</\u017fection>', '‹/\u017fection>'],
  ])('%j becomes %j', (text, expected) => {
    expect(neutralize(text)).toBe(expected)
  })

  it.each([
    'if (a < b || c > d) return x[i]',
    '<p>A <b>bold</b> claim.</p>',
    'sections <sectional> [instance] a|b \\begin{document}',
    'See [Memory](https://example.org) <mail@example.org>',
  ])('are not seen in %j', (text) => {
    expect(neutralize(text)).toBe(text)
  })

  it('that begin with what is ordinary text are refused', () => {
    for (const marker of ['Memory:', '', ' ']) {
      expect(() => createNeutralizer([marker])).toThrow(ConfigurationError)
    }
  })
})

it('hostile text costs no more than linear work', () => {
  const length = 400_000
  const gaps = ['<', '</', '<s', '</section', '<section ', '[/', '|', '<<'].map(
    (start) => start + ' '.repeat(length),
  )
  const repeated = ['<', '< ', '<section ', '|', '[ ', '<memory x'].map((part) =>
    part.repeat(length / part.length),
  )
  const started = performance.now()
  for (const text of [...gaps, ...repeated]) neutralize(text)
  // Square work would take minutes.
  expect(performance.now() - started).toBeLessThan(5000)
})
