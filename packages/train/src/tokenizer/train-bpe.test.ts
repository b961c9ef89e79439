import { Tokenizer } from '@huggingface/tokenizers'
import { describe, expect, it } from 'vitest'
import { trainBpe } from './train-bpe.ts'

const text =
  'low low low low low lower lower newest newest newest newest newest newest widest widest widest. '
const options = { vocabularySize: 300, addedTokens: [{ content: '<|end|>', special: true }] }

describe('trainBpe', () => {
  it('merges the most frequent pair first, as worked out by hand', () => {
    // Pairs: e-s occurs 9 times (6 newest, 3 widest), as do s-t; the pair with the smaller ids wins, then es-t.
    const { merges } = trainBpe([text], options).model as { merges: [string, string][] }
    expect(merges.slice(0, 2)).toEqual([
      ['e', 's'],
      ['es', 't'],
    ])
    expect(merges.map((pair) => pair.join(''))).toContain('Ġnewest')
  })

  it('is loaded by the Hugging Face library and gives every text back', () => {
    const tokenizer = new Tokenizer(trainBpe([text], options), {})
    for (const sample of [text, 'Zoë\n\n  paid 3,456 €\t—«ok» 😀!', ' ', 'a'.repeat(500)]) {
      expect(tokenizer.decode(tokenizer.encode(sample).ids)).toBe(sample)
    }
  })

  it('keeps digits single, the first one with the space in front of it', () => {
    const numbers = 'at 48213 and 48213 and 48213 x48 x48 x48 1,482 1,482'
    const tokenizer = new Tokenizer(trainBpe([numbers], options), {})
    expect(tokenizer.encode(' 48213').tokens).toEqual(['Ġ4', '8', '2', '1', '3'])
    expect(tokenizer.encode(numbers).tokens.every((token: string) => /^Ġ?\d$|^\D+$/.test(token))).toBe(true)
  })

  it('gives the same tokenizer for the same text, and numbers added tokens last', () => {
    const first = trainBpe([text], options)
    expect(trainBpe([text], options)).toEqual(first)
    const { vocab } = first.model as { vocab: Record<string, number> }
    expect(vocab['<|end|>']).toBe(Object.keys(vocab).length - 1)
    expect(new Set(Object.values(vocab)).size).toBe(Object.keys(vocab).length)
  })

  it('stops early when no pair occurs twice', () => {
    const { vocab } = trainBpe(['abc'], options).model as { vocab: Record<string, number> }
    expect(Object.keys(vocab)).toHaveLength(257)
  })

  it('refuses a vocabulary that cannot hold the bytes, and no text', () => {
    expect(() => trainBpe([text], { ...options, vocabularySize: 256 })).toThrow(/cannot hold 256 bytes/)
    expect(() => trainBpe([''], options)).toThrow(/no text/)
  })
})
