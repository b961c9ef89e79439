import { describe, expect, it } from 'vitest'
import type { TokenSequence } from '../policy/policy.ts'
import { checkSequences, forwardDatum, gradientDatum, splitDatums } from './datum.ts'

const sequence = { promptTokens: [10, 11, 12], responseTokens: [20, 21] }
const logprobs = Float32Array.of(-1, -2)
const gradient = Float32Array.of(0.5, -0.25)
const sum = { reduction: 'token-sum', maskKey: undefined } as const

describe('gradientDatum', () => {
  it('puts response tokens at the positions that predict them', () => {
    const { model_input, loss_fn_inputs } = gradientDatum(sequence, logprobs, gradient, 4, sum)
    expect(model_input.chunks[0]!.tokens).toEqual([10, 11, 12, 20])
    expect(loss_fn_inputs).toEqual({
      target_tokens: { data: [11, 12, 20, 21], dtype: 'int64', shape: [4] },
      logprobs: { data: [0, 0, -1, -2], dtype: 'float32', shape: [4] },
      advantages: { data: [0, 0, -0.5, 0.25], dtype: 'float32', shape: [4] },
    })
  })

  it('undoes the averages of a server, and uses its name for the mask', () => {
    const mean = { reduction: 'datum-mean', maskKey: 'weights' } as const
    const { loss_fn_inputs } = gradientDatum(sequence, logprobs, gradient, 4, mean)
    // Two response tokens, four datums.
    expect(loss_fn_inputs.advantages!.data).toEqual([0, 0, -4, 2])
    expect(loss_fn_inputs.weights!.data).toEqual([0, 0, 1, 1])
  })

  it('masks a datum without any gradient like others, and writes no minus zero', () => {
    const none = new Float32Array(2)
    const { loss_fn_inputs } = gradientDatum(sequence, logprobs, none, 1, { ...sum, maskKey: 'mask' })
    expect(loss_fn_inputs.mask!.data).toEqual([0, 0, 1, 1])
    expect(loss_fn_inputs.advantages!.data).toEqual([0, 0, 0, 0])
  })
})

describe('forwardDatum', () => {
  it('also handles a prompt of one token', () => {
    const datum = forwardDatum({ promptTokens: [5], responseTokens: [6, 7] }, { maskKey: 'mask' })
    expect(datum.model_input.chunks[0]!.tokens).toEqual([5, 6])
    expect(datum.loss_fn_inputs.weights!.data).toEqual([1, 1])
    expect(datum.loss_fn_inputs.mask!.data).toEqual([1, 1])
  })
})

describe('splitDatums', () => {
  const sequences = Array.from({ length: 10 }, () => sequence)
  const limits = { maskKey: undefined, maxDatums: 1024, maxBytes: 1e9 } as const
  const datumsOf = (items: readonly TokenSequence[]) =>
    items.map((item) => forwardDatum(item, { maskKey: undefined }))
  const whole = JSON.stringify(datumsOf(sequences)).length

  it('keeps the order and both limits', () => {
    const groups = splitDatums(sequences, 'forward', { ...limits, maxDatums: 4 })
    expect(groups.map(({ items, from }) => [from, items.length])).toEqual([
      [0, 4],
      [4, 4],
      [8, 2],
    ])
    expect(groups.flatMap(({ items }) => items)).toEqual(sequences)
    for (const { items } of splitDatums(sequences, 'forward', { ...limits, maxBytes: whole / 2 })) {
      expect(JSON.stringify(datumsOf(items)).length).toBeLessThanOrEqual(whole / 2)
    }
  })

  it('sends a datum larger than the limit alone', () => {
    expect(splitDatums(sequences, 'forward', { ...limits, maxDatums: 9, maxBytes: 1 }).length).toBe(10)
  })

  it.each([undefined, 'weights', 'mask'] as const)('bounds sizes in advance, mask %s', (maskKey) => {
    const long = { promptTokens: Array(50).fill(151_643), responseTokens: Array(50).fill(151_643) }
    const numbers = Float32Array.from({ length: 50 }, (_, i) => -Math.exp(Math.sin(i)))
    const built = {
      forward: forwardDatum(long, { maskKey }),
      gradient: gradientDatum(long, numbers, numbers, 7, { maskKey, reduction: 'datum-mean' }),
    }
    for (const kind of ['forward', 'gradient'] as const) {
      const [group] = splitDatums([long], kind, { ...limits, maskKey })
      const bytes = JSON.stringify(built[kind]).length
      expect(group!.bytes).toBeGreaterThanOrEqual(bytes)
      expect(group!.bytes).toBeLessThan(4 * bytes)
    }
  })
})

describe('checks', () => {
  it('name the sequence and the token', () => {
    expect(() => checkSequences([sequence, { promptTokens: [], responseTokens: [1] }])).toThrow('Sequence 1')
    expect(() => checkSequences([{ promptTokens: [1], responseTokens: [1.5] }])).toThrow('the token 1.5')
  })
})
