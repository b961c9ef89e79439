/** A very small byte-level BPE `tokenizer.json`, built on the fly: real merges, any pre-tokenizer. For tests. */
import { byteAlphabet } from '../tokenizers/byte-alphabet.ts'
import { knownPatterns } from '../tokenizers/known-patterns.ts'

const gpt2Words = new RegExp(knownPatterns.gpt2, 'gu')
const sample =
  'The old man and the sea is the story of a man who went far out to sea in the morning, and it is not the only one. ' +
  'She said that there were 1234 words in them; they don\'t know where "those" were.\n\nBelievable and unbelievable things ' +
  'happened to the mother of the brother and the other men    in the house.\n\n  - one\n  - two 😀😀 über Größe 你好，世界\n'

/** Pre-tokenizers of common models, copied from their files. */
export const tinyPreTokenizers = {
  gpt2: { type: 'ByteLevel', add_prefix_space: false, trim_offsets: true, use_regex: true },
  smolLm: {
    type: 'Sequence',
    pretokenizers: [
      { type: 'Digits', individual_digits: true },
      { type: 'ByteLevel', add_prefix_space: false, trim_offsets: true, use_regex: true },
    ],
  },
  qwen2: {
    type: 'Sequence',
    pretokenizers: [
      {
        type: 'Split',
        pattern: { Regex: knownPatterns.qwen2 },
        behavior: 'Isolated',
        invert: false,
      },
      { type: 'ByteLevel', add_prefix_space: false, trim_offsets: false, use_regex: false },
    ],
  },
} as const

/** 256 bytes, merges of frequent strings in a few sentences, and the markers `<|im_start|>`, `<|im_end|>`, `<|endoftext|>`. */
export function tinyTokenizerJson(kind: keyof typeof tinyPreTokenizers = 'gpt2'): Record<string, unknown> {
  const alphabet = byteAlphabet()
  const bytes = new TextEncoder()
  const words = sample
    .match(gpt2Words)!
    .map((word) => Array.from(bytes.encode(word), (byte) => alphabet[byte]!))
  const tokens = [...alphabet]
  const merges: [string, string][] = []
  for (;;) {
    const counts = new Map<string, number>()
    for (const word of words) {
      for (let i = 1; i < word.length; i++) {
        const pair = `${word[i - 1]} ${word[i]}`
        counts.set(pair, (counts.get(pair) ?? 0) + 1)
      }
    }
    const [pair, count] = [...counts].reduce((a, b) => (b[1] > a[1] ? b : a))
    if (count < 2) break
    const best = pair.split(' ') as [string, string]
    merges.push(best)
    if (!tokens.includes(best.join(''))) tokens.push(best.join(''))
    for (const word of words) {
      for (let i = 1; i < word.length; i++) {
        if (word[i - 1] === best[0] && word[i] === best[1]) word.splice(i - 1, 2, best.join(''))
      }
    }
  }
  const markers = ['<|endoftext|>', '<|im_start|>', '<|im_end|>']
  return {
    version: '1.0',
    truncation: null,
    padding: null,
    added_tokens: markers.map((content, i) => ({
      id: tokens.length + i,
      content,
      single_word: false,
      lstrip: false,
      rstrip: false,
      normalized: false,
      special: true,
    })),
    normalizer: null,
    pre_tokenizer: tinyPreTokenizers[kind],
    post_processor: null,
    decoder: { type: 'ByteLevel', add_prefix_space: true, trim_offsets: true, use_regex: true },
    model: {
      type: 'BPE',
      dropout: null,
      unk_token: null,
      continuing_subword_prefix: null,
      end_of_word_suffix: null,
      fuse_unk: false,
      byte_fallback: false,
      vocab: Object.fromEntries(tokens.map((token, id) => [token, id])),
      merges,
    },
  }
}
