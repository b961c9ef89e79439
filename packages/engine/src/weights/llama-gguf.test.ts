import { describe, expect, it } from 'vitest'
import { initialWeights, type LlamaConfig } from '../models/llama-config.ts'
import { tinyLlama } from '../testing/tiny-llama.ts'
import { rotaryTables } from '../training/training-batch.ts'
import { interleaveHalves, toGguf } from './llama-gguf.ts'
import type { ModelFolder } from './model-folder.ts'

const config: LlamaConfig = {
  ...tinyLlama,
  ...{ vocabularySize: 8, hiddenSize: 6, intermediateSize: 10 },
  ...{ layers: 1, heads: 2, keyValueHeads: 1, headDimension: 4, maxPositions: 32 },
}
const smollm = {
  type: 'Sequence',
  pretokenizers: [
    { type: 'Digits', individual_digits: true },
    { type: 'ByteLevel', add_prefix_space: false, use_regex: true },
  ],
}
const model: ModelFolder = {
  config,
  weights: initialWeights(config, 1),
  tokenizerJson: {
    normalizer: null,
    pre_tokenizer: smollm,
    model: { type: 'BPE', vocab: { a: 0, b: 1, ab: 2, Ġ: 3 }, merges: [['a', 'b']] },
    added_tokens: [
      { id: 4, content: '<|pad|>', special: true },
      { id: 5, content: '<|end|>', special: true },
      { id: 6, content: '<memory>', special: false },
    ],
  },
  tokenizerConfig: { bos_token: null, eos_token: '<|end|>', pad_token: '<|pad|>', chat_template: '{{ x }}' },
  profile: undefined,
}

/** Reads a GGUF file by the format's description, as plain values; tensor data as float32. */
function parseGguf(bytes: Uint8Array) {
  const view = new DataView(bytes.buffer, bytes.byteOffset)
  let at = 0
  const advance = (count: number) => {
    at += count
    return at - count
  }
  const uint32 = () => view.getUint32(advance(4), true)
  const uint64 = () => Number(view.getBigUint64(advance(8), true))
  const text = (): string => {
    const length = uint64()
    const from = advance(length)
    return new TextDecoder().decode(bytes.subarray(from, from + length))
  }
  const value = (type: number): unknown => {
    if (type === 4) return uint32()
    if (type === 5) return view.getInt32(advance(4), true)
    if (type === 6) return view.getFloat32(advance(4), true)
    if (type === 7) return bytes[advance(1)] === 1
    if (type === 8) return text()
    const [item, count] = [uint32(), uint64()]
    return Array.from({ length: count }, () => value(item))
  }
  const magic = String.fromCharCode(...bytes.subarray(0, 4))
  advance(4)
  const [version, tensorCount, valueCount] = [uint32(), uint64(), uint64()]
  const metadata = Object.fromEntries(Array.from({ length: valueCount }, () => [text(), value(uint32())]))
  const infos = Array.from({ length: tensorCount }, () => ({
    name: text(),
    dimensions: Array.from({ length: uint32() }, uint64),
    type: uint32(),
    offset: uint64(),
  }))
  const start = Math.ceil(at / 32) * 32
  const tensors = Object.fromEntries(
    infos.map(({ name, dimensions, type, offset }) => {
      const count = dimensions.reduce((a, b) => a * b, 1)
      const data =
        type === 0
          ? new Float32Array(bytes.slice(start + offset, start + offset + 4 * count).buffer)
          : undefined
      return [name, { dimensions, type, offset, data }]
    }),
  )
  return { magic, version, metadata, tensors }
}

describe('toGguf', () => {
  it('writes what llama.cpp needs to know about model and tokenizer', () => {
    const { magic, version, metadata } = parseGguf(toGguf(model, { name: 'tiny' }))
    expect([magic, version]).toEqual(['GGUF', 3])
    expect(metadata).toEqual({
      'general.architecture': 'llama',
      'general.name': 'tiny',
      'general.file_type': 0,
      'llama.vocab_size': 8,
      'llama.context_length': 32,
      'llama.embedding_length': 6,
      'llama.block_count': 1,
      'llama.feed_forward_length': 10,
      'llama.attention.head_count': 2,
      'llama.attention.head_count_kv': 1,
      'llama.attention.key_length': 4,
      'llama.attention.value_length': 4,
      'llama.attention.layer_norm_rms_epsilon': Math.fround(1e-5),
      'llama.rope.dimension_count': 4,
      'llama.rope.freq_base': 10_000,
      'tokenizer.ggml.model': 'gpt2',
      'tokenizer.ggml.pre': 'smollm',
      'tokenizer.ggml.tokens': ['a', 'b', 'ab', 'Ġ', '<|pad|>', '<|end|>', '<memory>', '[unused7]'],
      'tokenizer.ggml.token_type': [1, 1, 1, 1, 3, 3, 4, 5],
      'tokenizer.ggml.merges': ['a b'],
      'tokenizer.ggml.eos_token_id': 5,
      'tokenizer.ggml.padding_token_id': 4,
      'tokenizer.ggml.add_bos_token': false,
      'tokenizer.chat_template': '{{ x }}',
    })
  })

  it('writes every parameter under its name there, innermost dimension first, aligned, without an output matrix', () => {
    const { tensors } = parseGguf(toGguf(model))
    expect(Object.keys(tensors).sort()).toEqual(
      [
        'token_embd',
        'output_norm',
        ...[
          'attn_norm',
          'attn_q',
          'attn_k',
          'attn_v',
          'attn_output',
          'ffn_norm',
          'ffn_gate',
          'ffn_up',
          'ffn_down',
        ].map((part) => `blk.0.${part}`),
      ]
        .map((name) => `${name}.weight`)
        .sort(),
    )
    expect(tensors['blk.0.ffn_down.weight']!.dimensions).toEqual([10, 6])
    expect(tensors['blk.0.ffn_down.weight']!.data).toEqual(
      model.weights.get('model.layers.0.mlp.down_proj.weight'),
    )
    expect(tensors['token_embd.weight']!.data).toEqual(model.weights.get('model.embed_tokens.weight'))
    for (const { offset } of Object.values(tensors)) expect(offset % 32).toBe(0)
  })

  it('stores matrices as F16 and norms as F32 when asked', () => {
    const { tensors, metadata } = parseGguf(toGguf(model, { type: 'F16' }))
    expect(metadata['general.file_type']).toBe(1)
    expect(tensors['blk.0.attn_q.weight']!.type).toBe(1)
    expect(tensors['blk.0.attn_norm.weight']!.type).toBe(0)
  })

  it('rejects a tokenizer whose words llama.cpp would split differently', () => {
    const withTokenizer = (change: object) =>
      toGguf({ ...model, tokenizerJson: { ...model.tokenizerJson, ...change } })
    const whitespace = { pre_tokenizer: { type: 'Whitespace' } }
    expect(() => withTokenizer(whitespace)).toThrow('splitting words')
    expect(() => withTokenizer({ normalizer: { type: 'Lowercase' } })).toThrow('splitting words')
    expect(() => withTokenizer({ model: { type: 'Unigram', vocab: [] } })).toThrow('not byte-level BPE')
    expect(() => toGguf({ ...model, tokenizerConfig: { eos_token: '<|gone|>' } })).toThrow('<|gone|>')
  })
})

describe('a damaged tokenizer', () => {
  const { model: bpe, added_tokens: added } = model.tokenizerJson as { model: object; added_tokens: object[] }
  it.each([
    ['added tokens that are none', { added_tokens: null }, 'added_tokens'],
    ['an added token that is none', { added_tokens: [null] }, 'added_tokens'],
    ['an added token of no id', { added_tokens: [...added, { id: -1, content: 'x' }] }, 'has the id -1'],
    ['a vocabulary that is none', { model: { ...bpe, vocab: 5 } }, 'vocab'],
    ['merges that are none', { model: { ...bpe, merges: {} } }, 'merges'],
  ])('of %s is refused', (_, change, message) => {
    const damaged = { ...model, tokenizerJson: { ...model.tokenizerJson, ...change } }
    expect(() => toGguf(damaged)).toThrow(
      expect.objectContaining({ code: 'engine/gguf-tokenizer', message: expect.stringContaining(message) }),
    )
  })

  it.each([{}, { eos_token: null }, { eos_token: 5 }])(
    'without an end token is refused: %j',
    (tokenizerConfig) => {
      expect(() => toGguf({ ...model, tokenizerConfig })).toThrow('it has no eos_token')
    },
  )
})

describe('interleaveHalves', () => {
  it('gives neighbouring pairs the rotation of the halves, so scores stay the same', () => {
    const [heads, E, width] = [2, 6, 5]
    const matrix = Float32Array.from({ length: heads * E * width }, (_, i) => Math.sin(3 * i))
    const x = Float32Array.from({ length: width }, (_, i) => Math.cos(i))
    const project = (weights: Float32Array) =>
      Array.from({ length: heads * E }, (_, row) =>
        x.reduce((sum, value, i) => sum + value * weights[row * width + i]!, 0),
      )
    const { cosines, sines } = rotaryTables(Int32Array.of(9), E, 10_000)
    const rotate = (values: number[], pairOf: (i: number) => [number, number]) => {
      const result = [...values]
      for (let head = 0; head < heads; head++) {
        for (let i = 0; i < E / 2; i++) {
          const [a, b] = pairOf(i).map((place) => head * E + place) as [number, number]
          result[a] = values[a]! * cosines[i]! - values[b]! * sines[i]!
          result[b] = values[b]! * cosines[i]! + values[a]! * sines[i]!
        }
      }
      return result
    }
    const halves = rotate(project(matrix), (i) => [i, i + E / 2])
    const pairs = rotate(project(interleaveHalves(matrix, heads, width)), (i) => [2 * i, 2 * i + 1])
    for (let head = 0; head < heads; head++) {
      for (let i = 0; i < E / 2; i++) {
        expect(pairs[head * E + 2 * i]).toBeCloseTo(halves[head * E + i]!, 12)
        expect(pairs[head * E + 2 * i + 1]).toBeCloseTo(halves[head * E + i + E / 2]!, 12)
      }
    }
  })
})
