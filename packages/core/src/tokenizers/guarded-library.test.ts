import { Tokenizer as Library } from '@huggingface/tokenizers'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { TokenizerError } from '../errors.ts'
import { tinyTokenizerJson } from '../testing/tiny-tokenizer.ts'
import { openGuardedLibrary } from './guarded-library.ts'
import { createHuggingFaceTokenizer } from './hugging-face.ts'
import { knownPatterns, unknownPatterns } from './known-patterns.ts'

const json = tinyTokenizerJson('gpt2')
const bytes = { type: 'ByteLevel', add_prefix_space: false, use_regex: false }
const splitBy = (pattern: string) => ({
  ...json,
  pre_tokenizer: {
    type: 'Sequence',
    pretokenizers: [
      { type: 'Split', pattern: { Regex: pattern }, behavior: 'Isolated', invert: false },
      bytes,
    ],
  },
})
/** Takes 2^n steps on n letters x. */
const catastrophic = '(x+x+)+y'
const victim = 'x'.repeat(60)

describe('unknownPatterns', () => {
  it('occur in no published file, at any place', () => {
    expect(unknownPatterns(json)).toEqual([])
    for (const pattern of Object.values(knownPatterns)) expect(unknownPatterns(splitBy(pattern))).toEqual([])
    expect(unknownPatterns(splitBy(catastrophic))).toEqual([catastrophic])
    const replace = { type: 'Replace', pattern: { Regex: 'a+b' }, content: '' }
    for (const step of ['normalizer', 'pre_tokenizer', 'decoder', 'post_processor']) {
      expect(unknownPatterns({ ...json, [step]: replace })).toEqual(['a+b'])
      expect(unknownPatterns({ ...json, [step]: { type: 'Sequence', of: [[{ deep: replace }]] } })).toEqual([
        'a+b',
      ])
    }
  })

  it('are no literal strings', () => {
    expect(
      unknownPatterns({ ...json, normalizer: { type: 'Replace', pattern: { String: '(x+x+)+y' } } }),
    ).toEqual([])
  })
})

describe('a file with an unknown pattern', () => {
  it('gives the ids and texts that the library gives', () => {
    const other = splitBy('\\p{L}+|\\p{N}|[^\\p{L}\\p{N}]+')
    const tokenizer = createHuggingFaceTokenizer(other)
    const [plain, library] = [new Library({ ...other, added_tokens: [] }, {}), new Library(other, {})]
    const options = { add_special_tokens: false }
    const texts = fc.array(
      fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('<|im_end|>', ' the', '12')),
    )
    fc.assert(
      fc.property(texts, (parts) => {
        const text = parts.join('')
        if (text === '') return
        const ids = tokenizer.encode(text)
        expect(ids).toEqual(plain.encode(text, options).ids)
        expect(tokenizer.count(text)).toBe(ids.length)
        expect(tokenizer.encode(text, { specialTokens: true })).toEqual(library.encode(text, options).ids)
        expect(tokenizer.decode(ids)).toBe(text)
      }),
    )
    expect(tokenizer.idOf('<|im_end|>')).toBe(library.token_to_id('<|im_end|>'))
    expect(tokenizer.idOf('no such token')).toBeUndefined()
  })

  it('is rejected by name when the library cannot use it', () => {
    const broken = { ...splitBy('a+b'), model: { type: 'Nonsense' } }
    expect(() => createHuggingFaceTokenizer(broken, {}, { name: 'my.json' })).toThrow(
      /my\.json cannot be used/,
    )
  })

  it.each([
    ['splits', splitBy(catastrophic)],
    [
      'normalizes',
      { ...json, normalizer: { type: 'Replace', pattern: { Regex: catastrophic }, content: ' ' } },
    ],
  ])('that takes without end is stopped where it %s, and the next text is tokenized', (_, file) => {
    const limits = { callMs: 300, characterMs: 0, loadMs: 60_000 }
    const library = openGuardedLibrary(file, {}, 'evil.json', [catastrophic], limits)!
    const listener = () => undefined
    process.on('SIGINT', listener)
    try {
      library.encode(victim, false)
      expect.fail('it came to an end')
    } catch (error) {
      expect(error).toBeInstanceOf(TokenizerError)
      expect(error).toMatchObject({
        code: 'tokenizer/too-slow',
        message:
          'evil.json was stopped after 0.3 seconds on a text of 60 characters. It holds a pattern of no published tokenizer: "(x+x+)+y".',
        hint: expect.stringContaining("Use the tokenizer.json of the model's publisher"),
      })
      expect(process.listeners('SIGINT')).toContain(listener)
    } finally {
      process.off('SIGINT', listener)
    }
    expect(library.encode('the man', false)).toEqual(createHuggingFaceTokenizer(json).encode('the man'))
  })
})
