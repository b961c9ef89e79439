import { writeFile } from 'node:fs/promises'
import { temporaryFolder } from '@memagent/core/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { architectureFromConfig, readArchitecture } from './architecture.ts'
import { compareFlops, denseFlops, forwardFlops, multipliedWeights, readerFlops } from './flops.ts'

/** Small enough to work out on paper: heads of 2 dimensions, one for keys and values. */
const small = architectureFromConfig(
  {
    vocab_size: 10,
    hidden_size: 4,
    intermediate_size: 8,
    num_hidden_layers: 2,
    num_attention_heads: 2,
    num_key_value_heads: 1,
  },
  'small',
)
const qwen7b = architectureFromConfig(
  {
    vocab_size: 152_064,
    hidden_size: 3584,
    intermediate_size: 18_944,
    num_hidden_layers: 28,
    num_attention_heads: 28,
    num_key_value_heads: 4,
  },
  'Qwen2.5-7B',
)
const qwen14b = architectureFromConfig(
  {
    vocab_size: 152_064,
    hidden_size: 5120,
    intermediate_size: 13_824,
    num_hidden_layers: 48,
    num_attention_heads: 40,
    num_key_value_heads: 8,
  },
  'Qwen2.5-14B',
)

describe('a forward pass', () => {
  it('multiplies each token with every matrix', () => {
    // A layer: 3 * 4 * 8 = 96, queries and output 2 * 4 * 4 = 32, keys and values 2 * 4 * 2 = 16. Embeddings: 2 * 10 * 4 = 80.
    expect(multipliedWeights(small)).toBe(2 * (96 + 32 + 16) + 80)
    // The models have 333,312 and 840,704 more parameters: norms and biases.
    expect(multipliedWeights(qwen7b)).toBe(7_615_616_512 - 333_312)
    expect(multipliedWeights(qwen14b)).toBe(14_770_033_664 - 840_704)
  })

  it('takes two for each of them, and two twice for each pair of tokens', () => {
    // 2 * 368 * 5 = 3680; scores and sums in 2 layers: 2 * 2 * (2 * 25 * 4) = 800.
    expect(forwardFlops(small, 5)).toBe(4480)
  })

  it("is a third of verl's count for training", () => {
    // verl: 6 * weights * tokens + 12 * tokens^2 * head dimension * heads * layers
    const verl = 6 * 7_615_283_200 * 7248 + 12 * 7248 ** 2 * 128 * 28 * 28
    expect(3 * forwardFlops(qwen7b, 7248)).toBeCloseTo(verl, -3)
  })
})

describe('the formula of the paper', () => {
  const shape = { question: 3, chunk: 10, response: 2 }

  it('counts one pass over question, text and response', () => {
    expect(denseFlops(small, 25, shape)).toBe(forwardFlops(small, 30))
    // 736 * 30 + 32 * 900
    expect(denseFlops(small, 25, shape)).toBe(50_880)
  })

  it('counts a first call, an update for every chunk begun, and an answer', () => {
    // 205 tokens: 736 * 205 + 32 * 205^2 = 1,495,680; 215: 1,637,440, three times; 105: 430,080.
    expect(readerFlops(small, 25, shape)).toBe(1_495_680 + 3 * 1_637_440 + 430_080)
    expect(readerFlops(small, 30, shape)).toBe(readerFlops(small, 21, shape))
  })

  // Computed with verl's own code; a third of its result. Three times the dense pass of the 7B at 4 * 2^20 tokens is 2.14e19,
  // as in the paper's plot.
  it.each([
    ['7B', qwen7b, 4 * 2 ** 20, 7.1325e18, 1.1038e17, 64.62],
    ['7B', qwen7b, 4_000_000, 6.4901e18, 1.0525e17, 61.66],
    ['7B', qwen7b, 8000, 1.9356e14, 3.3379e14, 0.5799],
    ['14B', qwen14b, 4_000_000, 1.5863e19, 2.1273e17, 74.57],
  ])('gives what verl counts for Qwen2.5-%s', (_, architecture, length, dense, reader, ratio) => {
    const [row] = compareFlops(architecture, [length])
    const digits = [row!.dense.toPrecision(5), row!.reader.toPrecision(5), row!.ratio.toPrecision(4)]
    expect(digits.map(Number)).toEqual([dense, reader, ratio])
  })
})

describe('config.json', () => {
  const config = {
    vocab_size: 10,
    hidden_size: 4,
    intermediate_size: 8,
    num_hidden_layers: 2,
    num_attention_heads: 2,
  }

  it('may say how large a head is', () => {
    expect(small).toMatchObject({ keyValueHeads: 1, headDimension: 2 })
    expect(architectureFromConfig({ ...config, head_dim: 6 }, 'wide')).toMatchObject({
      keyValueHeads: 2,
      headDimension: 6,
    })
    expect(architectureFromConfig({ ...config, head_dim: null }, 'null').headDimension).toBe(2)
  })

  it.each([
    [{ ...config, hidden_size: undefined, num_hidden_layers: 0 }, /hidden_size: .*\n +num_hidden_layers: /],
    [[], /expected object, received array/],
    [{ ...config, num_experts: 8 }, /mixture of experts \(num_experts\)/],
  ])('is refused where it cannot be counted (%#)', (json, message) => {
    expect(() => architectureFromConfig(json, 'some.json')).toThrow(message)
  })

  const folder = temporaryFolder(beforeAll, afterAll)
  it('is read from a file', async () => {
    await writeFile(folder.join('config.json'), JSON.stringify(config))
    await writeFile(folder.join('broken.json'), '{')
    expect((await readArchitecture(folder.join('config.json'))).layers).toBe(2)
    for (const name of ['broken.json', 'missing.json']) {
      await expect(readArchitecture(folder.join(name))).rejects.toMatchObject({ code: 'flops/config' })
    }
  })
})
