import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { Tokenizer as Library } from '@huggingface/tokenizers'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { TokenizerError } from '../errors.ts'
import { tinyPreTokenizers, tinyTokenizerJson } from '../testing/tiny-tokenizer.ts'
import { createHuggingFaceTokenizer } from './hugging-face.ts'
import { createPreTokenizer } from './pre-tokenizer.ts'

const kinds = (Object.keys(tinyPreTokenizers) as (keyof typeof tinyPreTokenizers)[]).map((kind) => ({
  name: kind as string,
  json: tinyTokenizerJson(kind),
  normalize: (text: string) => text,
}))
// As in Qwen2's own files.
kinds.push({
  name: 'qwen2, normalized to NFC',
  json: { ...tinyTokenizerJson('qwen2'), normalizer: { type: 'NFC' } },
  normalize: (text) => text.normalize('NFC'),
})

/** Where pre-tokenizers differ: digits of any script, marks, contractions, white space of all kinds, control tokens. */
const hardText = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'binary', maxLength: 6 }),
      fc.string({ unit: 'grapheme', maxLength: 6 }),
      fc.constantFrom(
        "'s",
        "'S",
        "'ll",
        "'LL",
        "don't",
        "'ſ",
        ' ',
        '  ',
        '\t',
        '\n',
        '\r\n',
        '\n\n  ',
        '\u00a0',
        '\u3000',
        '\u2028',
      ),
      fc.constantFrom(
        '12',
        '٣٤',
        '½',
        '²',
        'Ⅷ',
        'the',
        ' man',
        '...',
        ' - ',
        'e\u0301',
        '你好',
        '😀',
        '👩‍👩‍👧',
        '\u0085',
        '\ufeff',
      ),
      fc.constantFrom(
        '<|im_start|>',
        '<|im_end|>',
        '<|endoftext|>',
        '<|im_',
        'constructor',
        '__proto__',
        'toString',
      ),
    ),
    { maxLength: 24 },
  )
  .map((parts) => parts.join(''))

/** The library splits off only ASCII digits, where the original implementation (and this one) splits off every numeral. */
const textFor = (kind: string) =>
  kind === 'smolLm' ? hardText.map((text) => text.replace(/[^\P{N}0-9]/gu, '7')) : hardText

for (const { name, json, normalize } of kinds) {
  describe(name, () => {
    const tokenizer = createHuggingFaceTokenizer(json)
    const plainLibrary = new Library({ ...json, added_tokens: [] }, {})
    const library = new Library(json, {})

    it('is split here, not by the library', () => {
      expect(createPreTokenizer(json)).toBeDefined()
    })

    it('encodes and counts any text as the library does', () => {
      fc.assert(
        fc.property(textFor(name), (text) => {
          const expected = text === '' ? [] : plainLibrary.encode(text, { add_special_tokens: false }).ids
          expect(tokenizer.encode(text)).toEqual(expected)
          expect(tokenizer.count(text)).toBe(expected.length)
        }),
        { numRuns: 300 },
      )
    })

    it('encodes control tokens as the library does, when asked to', () => {
      fc.assert(
        fc.property(textFor(name), (text) => {
          const expected = text === '' ? [] : library.encode(text, { add_special_tokens: false }).ids
          expect(tokenizer.encode(text, { specialTokens: true })).toEqual(expected)
        }),
        { numRuns: 200 },
      )
    })

    it('round-trips the text', () => {
      fc.assert(
        fc.property(hardText, (text) => {
          expect(tokenizer.decode(tokenizer.encode(text))).toBe(normalize(text))
          expect(tokenizer.decode(tokenizer.encode(text, { specialTokens: true }))).toBe(normalize(text))
        }),
        { numRuns: 200 },
      )
    })

    it('decodes any ids as the library does', () => {
      const size = Object.keys((json.model as { vocab: object }).vocab).length + 3
      fc.assert(
        fc.property(fc.array(fc.nat({ max: size - 1 }), { minLength: 1, maxLength: 30 }), (ids) => {
          const options = { skip_special_tokens: false, clean_up_tokenization_spaces: false }
          expect(tokenizer.decode(ids)).toBe(library.decode(ids, options))
        }),
        { numRuns: 200 },
      )
    })
  })
}

it('splits digits off one by one where configured, as the original implementation does', () => {
  const tokenizer = createHuggingFaceTokenizer(tinyTokenizerJson('smolLm'))
  for (const text of ['a  ½', 'the ٣٤', '12²']) {
    const parts = text.split(/(\p{N})/u).filter((part) => part !== '')
    expect(tokenizer.encode(text)).toEqual(parts.flatMap((part) => tokenizer.encode(part)))
  }
  expect(tokenizer.count('there')).toBeLessThan(tokenizer.count('12345'))
})

describe('special tokens', () => {
  const tokenizer = createHuggingFaceTokenizer(tinyTokenizerJson('qwen2'))
  const end = tokenizer.idOf('<|im_end|>')!

  it('are plain text unless asked for', () => {
    const text = 'a <|im_end|> b'
    expect(tokenizer.encode(text)).not.toContain(end)
    expect(tokenizer.encode(text).length).toBe(tokenizer.count(text))
    expect(tokenizer.encode(text, { specialTokens: true })).toContain(end)
    expect(tokenizer.encode('<|im_end|>', { specialTokens: true })).toEqual([end])
  })

  it('are found by name', () => {
    expect(tokenizer.decode([end])).toBe('<|im_end|>')
    expect(tokenizer.idOf('no such token')).toBeUndefined()
  })
})

describe('files', () => {
  it('that are not tokenizers are rejected by name', () => {
    expect(() =>
      createHuggingFaceTokenizer({ model: { type: 'Nonsense' } }, {}, { name: 'my.json' }),
    ).toThrow(TokenizerError)
    expect(() => createHuggingFaceTokenizer({}, {}, { name: 'my.json' })).toThrow(/my\.json cannot be used/)
  })

  it('with unknown steps are left to the library', () => {
    const json = tinyTokenizerJson('gpt2')
    const bytes = { type: 'ByteLevel', add_prefix_space: false, use_regex: false }
    for (const other of [
      { ...json, normalizer: { type: 'Lowercase' } },
      { ...json, pre_tokenizer: { type: 'Whitespace' } },
      { ...json, pre_tokenizer: { type: 'ByteLevel', add_prefix_space: true, use_regex: true } },
      { ...json, pre_tokenizer: null },
      {
        ...json,
        pre_tokenizer: {
          type: 'Sequence',
          pretokenizers: [
            { type: 'Split', pattern: { Regex: 'a++' }, behavior: 'Isolated', invert: false },
            bytes,
          ],
        },
      },
      {
        ...json,
        pre_tokenizer: {
          type: 'Sequence',
          pretokenizers: [
            { type: 'Split', pattern: { Regex: 'a+' }, behavior: 'Removed', invert: false },
            bytes,
          ],
        },
      },
    ]) {
      expect(createPreTokenizer(other)).toBeUndefined()
    }
    const lowercase = createHuggingFaceTokenizer({ ...json, normalizer: { type: 'Lowercase' } })
    expect(lowercase.encode('THE MAN')).toEqual(lowercase.encode('the man'))
    expect(lowercase.count('the man')).toBe(createHuggingFaceTokenizer(json).count('the man'))
  })
})

describe('words seen before', () => {
  it('are encoded the same after the cache has overflowed', () => {
    const tokenizer = createHuggingFaceTokenizer(tinyTokenizerJson('gpt2'))
    const words = Array.from({ length: 40_000 }, (_, index) => ` ${index.toString(36)}`)
    const ids = words.map((word) => tokenizer.encode(word))
    expect(tokenizer.count(words.join(''))).toBe(ids.flat().length)
    expect(words.map((word) => tokenizer.encode(word))).toEqual(ids)
  })

  it('do not keep the text around them in memory', () => {
    setFlagsFromString('--expose-gc')
    const collectGarbage = runInNewContext('gc') as () => void
    const megabytesInUse = () => {
      collectGarbage()
      return process.memoryUsage().heapUsed / 2 ** 20
    }
    const tokenizer = createHuggingFaceTokenizer(tinyTokenizerJson('gpt2'))
    const before = megabytesInUse()
    for (let page = 0; page < 400; page++) {
      const newWord = page.toString(2).replaceAll('0', 'unheard').replaceAll('1', 'of')
      const text = `${' the man'.repeat(12_000)} ${newWord.padStart(16, 'x')}`
      // In one piece, as read from a file.
      tokenizer.count(Buffer.from(text).toString())
    }
    expect(megabytesInUse() - before).toBeLessThan(10)
    expect(tokenizer.count('the')).toBeGreaterThan(0)
  })
})

it('a word of any length is counted in reasonable time', () => {
  const tokenizer = createHuggingFaceTokenizer(tinyTokenizerJson('gpt2'))
  const started = performance.now()
  expect(tokenizer.decode(tokenizer.encode('xyz'.repeat(20_000)))).toBe('xyz'.repeat(20_000))
  expect(performance.now() - started).toBeLessThan(4000)
})
