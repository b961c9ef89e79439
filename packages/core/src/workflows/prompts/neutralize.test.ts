import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ConfigurationError } from '../../errors.ts'
import { overwrite } from '../overwrite/overwrite.ts'
import { controlTokenFamilies } from './control-tokens.ts'
import { createNeutralizer } from './neutralize.ts'
import { promptsFor } from './prompts.ts'

const { markers } = promptsFor(overwrite, 'compact')
const neutralize = createNeutralizer(markers)
const controlTokens = controlTokenFamilies.flatMap(({ tokens }) => tokens)
const structure = [...markers, ...controlTokens]

/** The markers found by a reader who ignores white space, case and invisible characters. */
const structureIn = (text: string) => {
  const plain = text
    .normalize('NFKC')
    .replace(/[\s\p{Cf}]/gu, '')
    .toLowerCase()
  // Found in the plain form of both; fullwidth characters of the text itself are not markers.
  return structure.filter((marker) => plain.includes(marker.normalize('NFKC').toLowerCase()))
}

const pieces = structure.flatMap((marker) => [marker, marker.slice(0, 3), marker.slice(3), marker.slice(-2)])
const signs = fc.constantFrom('<', '>', '/', '|', '[', ']', '\\', '\n', ' ', '\u200b', '\u00ad', 's', 'S')
const hostile = fc
  .array(fc.oneof(fc.constantFrom(...pieces), signs, fc.string({ maxLength: 3 })), { maxLength: 16 })
  .map((parts) => parts.join(''))

/** The tags of the prompts as a lenient HTML parser finds them, attributes and all, even unclosed. */
const tagsIn = (text: string) => {
  const plain = text.normalize('NFKC').replace(/[\p{Cf}\p{Variation_Selector}]/gu, '')
  return [
    ...plain.matchAll(/<\s*\/?\s*(?:section|memory|problem)(?:\s[^>]*)?\/?\s*>/gi),
    ...plain.matchAll(/<\s*\/\s*(?:section|memory|problem)(?![\p{L}\p{N}_-])/giu),
    ...plain.matchAll(/<(?:section|memory|problem)(?=[\s/]|$)/gi),
  ].map(([tag]) => tag)
}

describe('properties', () => {
  it('no marker is left, in any letter case, with any white space or invisible characters, however nested', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        expect(structureIn(neutralize(text))).toEqual([])
      }),
      { numRuns: 4000 },
    )
  })

  it('no tag of the prompts is left, whatever its attributes', () => {
    const parts = fc.constantFrom(
      ...[
        '<',
        '</',
        '< ',
        '>',
        '/>',
        ' ',
        '\n',
        '\u200b',
        '\ufe0f',
        ' id="1"',
        ' x',
        '"',
        "'",
        '-',
        'x',
        '‹',
      ],
      ...['section', 'SECTION', 'memory', 'problem', 'sec', 'tion', '＜section', 'ｓection', '</section'],
      ...['<section', '</section>', '<memory>', '＞'],
    )
    const tags = fc.array(parts, { maxLength: 14 }).map((signs) => signs.join(''))
    fc.assert(
      fc.property(tags, (text) => {
        const once = neutralize(text)
        expect(tagsIn(once)).toEqual([])
        expect(neutralize(once)).toBe(once)
      }),
      { numRuns: 6000 },
    )
  })

  it('is idempotent and changes only opening characters', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const once = neutralize(text)
        expect(neutralize(once)).toBe(once)
        expect(once.length).toBe(text.length)
        const back = once.replace(/[‹〔〕∖¦]/g, (sign) => '<[]\\|'['‹〔〕∖¦'.indexOf(sign)]!)
        expect(back).toBe(text)
      }),
      { numRuns: 1000 },
    )
  })

  it('is idempotent when a marker directly follows the name of a tag', () => {
    const openTags = markers.filter((marker) => marker.startsWith('<')).map((marker) => marker.slice(0, -1))
    for (const text of openTags.flatMap((tag) => structure.map((other) => `${tag}${other}>`))) {
      const once = neutralize(text)
      expect(neutralize(once)).toBe(once)
    }
  })

  it('text without opening characters is unchanged', () => {
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
    ['</section </section>', '‹/section ‹/section>'],
    ['<section <memory> x>', '‹section ‹memory> x>'],
    ['< section\n<memory> x>', '‹ section\n‹memory> x>'],
    ['</section', '‹/section'],
    ['(ends with </section)', '(ends with ‹/section)'],
    ['the end <section', 'the end ‹section'],
    ['＜/section＞', '‹/section＞'],
    ['<\u0000section\u034f>', '‹\u0000section\u034f>'],
    ['<\ufff9section\u{e0041}>', '‹\ufff9section\u{e0041}>'],
    ['<ｓｅｃｔｉｏｎ>', '‹ｓｅｃｔｉｏｎ>'],
    [']~b]user', '〕~b]user'],
    ['[|user|] hello[|endofturn|]', '〔|user|] hello〔|endofturn|]'],
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
    'if (used < memory) return',
    'for (let i=0;i<memory;i++) total += i<section&&1',
    'const counts: Map<Memory, number> = new Map<section.Name, Memory[]>()',
    '<section-title> <sections> </memory-map> <memory:x>',
    'usage: tool [OPTIONS] [ARGS] <filename> [PREFIX]; a[i] = b[j] | c',
    'あ＜い、「section＞」',
    '<ѕection> in Cyrillic',
    'a |> f(b) |> g, x <| y, `|| >=2.5.0 | >1 <2`, type A = Set<\n  | "x"\n  | "y">',
  ])('are not seen in %j', (text) => {
    expect(neutralize(text)).toBe(text)
  })

  it('that begin like ordinary text are rejected', () => {
    for (const marker of ['Memory:', '', ' ']) {
      expect(() => createNeutralizer([marker])).toThrow(ConfigurationError)
    }
  })
})

describe('control tokens', () => {
  it.each(controlTokenFamilies.map(({ models, tokens, source }) => ({ models, tokens, source })))(
    'of $models are neutralized',
    ({ tokens, source }) => {
      expect(source).toMatch(/\w+\.\w+\/\w+/)
      for (const token of tokens) {
        for (const form of [token, token.toLowerCase(), [...token].join('\u200b')]) {
          const text = `Before ${form} after`
          expect(neutralize(text), token).not.toBe(text)
        }
      }
    },
  )
})

it('documentation and declarations of installed packages change only where they hold a marker', () => {
  const root = join(import.meta.dirname, '../../../../..')
  const files = globSync('node_modules/**/*.{md,d.ts}', { cwd: root }).sort().slice(0, 800)
  const changed = files.flatMap((file) => {
    const text = readFileSync(join(root, file), 'utf8')
    const after = neutralize(text)
    return [...after.matchAll(/[‹〔〕∖¦]/gu)]
      .filter(({ index }) => after[index] !== text[index])
      .map(({ index }) => text.slice(index, index + 20))
  })
  expect(files.length).toBeGreaterThan(300)
  const exact = [...structure, '<|'].map((token) => token.toLowerCase())
  expect(changed.filter((text) => !exact.some((token) => text.toLowerCase().startsWith(token)))).toEqual([])
})

it('hostile text takes linear time', () => {
  const length = 400_000
  const gaps = ['<', '</', '<s', '</section', '<section ', '[/', '|', '<<'].map(
    (start) => start + ' '.repeat(length),
  )
  const repeated = ['<', '< ', '<section ', '< section ', '|', '[ ', '<memory x', ']<', '<s\u200b'].map(
    (part) => part.repeat(length / part.length),
  )
  const started = process.cpuUsage()
  for (const text of [...gaps, ...repeated]) neutralize(text)
  // CPU time, because the machine may be busy; quadratic work would take minutes.
  const { user, system } = process.cpuUsage(started)
  expect((user + system) / 1e6).toBeLessThan(10)
})
