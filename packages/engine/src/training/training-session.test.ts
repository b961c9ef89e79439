import { afterAll, describe, expect, it, vi } from 'vitest'
import { initialWeights, parameterShapes, type Weights } from '../models/llama-config.ts'
import { InferenceSession } from '../onnx/runtime.ts'
import { referenceLogits, referenceLogprob } from '../testing/reference-llama.ts'
import { tinyLlama } from '../testing/tiny-llama.ts'
import type { TrainingBatch } from './training-batch.ts'
import { TrainingSession } from './training-session.ts'

const config = tinyLlama
const adam = { beta1: 0.9, beta2: 0.98, epsilon: 1e-8, weightDecay: 0, clipNorm: 1 }

/** Larger than initial weights, so attention is not flat. */
function weightsOf(seed: number): Weights {
  const weights = initialWeights(config, seed)
  for (const values of weights.values()) values.set(values.map((value) => value * 2))
  return weights
}

const tokensOf = (count: number, seed: number) =>
  Int32Array.from({ length: count }, (_, i) => (i * 7 + seed * 13 + i * i) % 40)

function plainBatch(
  sequences: readonly Int32Array[],
  targets: readonly (readonly [row: number, token: number, coefficient: number])[],
): TrainingBatch {
  const rowLength = Math.max(...sequences.map(({ length }) => length))
  const size = sequences.length * rowLength
  const batch = {
    rows: sequences.length,
    rowLength,
    tokens: new Int32Array(size),
    positions: new Int32Array(size),
    group: new Int32Array(size).fill(-1),
    branch: new Int32Array(size),
    targetRows: Int32Array.from(targets, ([row]) => row),
    targets: Int32Array.from(targets, ([, token]) => token),
    coefficients: Float32Array.from(targets, ([, , coefficient]) => coefficient),
  }
  sequences.forEach((sequence, row) => {
    sequence.forEach((token, t) => {
      batch.tokens[row * rowLength + t] = token
      batch.positions[row * rowLength + t] = t
      batch.group[row * rowLength + t] = 0
    })
  })
  return batch
}

const sessions: TrainingSession[] = []
async function create(weights = weightsOf(1)): Promise<TrainingSession> {
  const session = await TrainingSession.create(config, weights, { threads: 1 })
  sessions.push(session)
  return session
}
afterAll(async () => {
  for (const session of sessions) await session.release()
})

describe('TrainingSession', () => {
  it('can pass again, and be released, after a pass that the runtime had no memory to prepare', async () => {
    const session = await create()
    const batch = plainBatch([tokensOf(4, 1)], [[0, 1, 1]])
    const creating = vi.spyOn(InferenceSession, 'create')
    creating.mockRejectedValueOnce(new Error('std::bad_alloc'))
    await expect(session.forward(batch)).rejects.toThrow('std::bad_alloc')
    expect((await session.forward(batch)).logprobs).toHaveLength(1)
    creating.mockRejectedValueOnce(new Error('std::bad_alloc'))
    await expect(session.forwardBackward(batch)).rejects.toThrow('std::bad_alloc')
    await session.forwardBackward(batch)
    creating.mockRejectedValueOnce(new Error('std::bad_alloc'))
    const muon = { ...adam, algorithm: 'muon', learningRate: 0.01 } as const
    await expect(session.optimStep(muon)).rejects.toThrow('std::bad_alloc')
    creating.mockRestore()
    await session.release()
  })

  it('waits for running passes when it is released', async () => {
    const session = await create()
    const batch = plainBatch([tokensOf(12, 1)], [[3, 5, 1]])
    await session.forward(batch)
    const running = session.forwardBackward(batch)
    await session.release()
    expect((await running).logprobs).toHaveLength(1)
  })

  it('computes the log-probabilities of a plain implementation', async () => {
    const session = await create()
    const sequences = [tokensOf(12, 1), tokensOf(9, 2)]
    const targets = [
      [3, 5, 1],
      [11, 0, 1],
      [12 + 8, 39, 1],
    ] as const
    const { logprobs, correct } = await session.forward(plainBatch(sequences, targets))
    const logits = sequences.map((sequence) => referenceLogits(config, session.weights, [...sequence]))
    const rows = [logits[0]![3]!, logits[0]![11]!, logits[1]![8]!]
    rows.forEach((row, i) => {
      expect(logprobs[i]).toBeCloseTo(referenceLogprob(row, targets[i]![1]), 4)
      expect(correct[i]).toBe(Number(row.indexOf(Math.max(...row)) === targets[i]![1]))
    })
  })

  it('has gradients that agree with finite differences, for every parameter', async () => {
    const session = await create()
    const batch = plainBatch(
      [tokensOf(10, 3), tokensOf(10, 4)],
      [
        [2, 7, 0.4],
        [9, 30, 0.3],
        [15, 1, -0.2],
        [19, 8, 0.5],
      ],
    )
    await session.forwardBackward(batch)
    for (const [name, values] of session.weights) {
      const gradient = session.gradients().get(name)!
      // Along the gradient's own direction the slope is its norm; and one single entry besides.
      const norm = Math.sqrt(gradient.reduce((sum, g) => sum + g * g, 0))
      expect(norm).toBeGreaterThan(0)
      const original = values.slice()
      const slopeAlong = async (direction: (i: number) => number, step: number) => {
        const at = async (sign: number) => {
          values.set(original.map((value, i) => value + sign * step * direction(i)))
          return (await session.forward(batch)).loss
        }
        const slope = ((await at(1)) - (await at(-1))) / (2 * step)
        values.set(original)
        return slope
      }
      const expectSlope = (measured: number, computed: number) =>
        expect(Math.abs(measured - computed), name).toBeLessThan(2e-3 + 0.02 * Math.abs(computed))
      expectSlope(await slopeAlong((i) => gradient[i]! / norm, 5e-4), norm)
      const largest = gradient.reduce((best, g, i) => (Math.abs(g) > Math.abs(gradient[best]!) ? i : best), 0)
      expectSlope(await slopeAlong((i) => Number(i === largest), 5e-4), gradient[largest]!)
    }
  })

  it('computes branches that share a prefix exactly as separate sequences', async () => {
    const trunk = tokensOf(8, 5)
    const branches = [tokensOf(5, 6), tokensOf(4, 7), tokensOf(6, 8)]
    const separate = plainBatch(
      branches.map((branch) => Int32Array.from([...trunk, ...branch])),
      branches.flatMap(
        (branch, b) =>
          [
            [b * 14 + 7, branch[0]!, 0.2],
            [b * 14 + 8 + branch.length - 2, branch.at(-1)!, 0.3],
          ] as const,
      ),
    )
    // One row: another group in front, the shared prefix once, then the branches, then padding.
    const other = tokensOf(3, 9)
    const flat = [...other, ...trunk, ...branches.flatMap((branch) => [...branch])]
    const rowLength = flat.length + 4
    const fill = (values: readonly number[], rest: number) =>
      Int32Array.from({ length: rowLength }, (_, i) => values[i] ?? rest)
    let start = other.length + trunk.length
    const targetRows: number[] = []
    for (const branch of branches) {
      targetRows.push(other.length + trunk.length - 1, start + branch.length - 2)
      start += branch.length
    }
    const packed: TrainingBatch = {
      rows: 1,
      rowLength,
      tokens: fill(flat, 0),
      positions: fill(
        [
          0,
          1,
          2,
          ...trunk.keys(),
          ...branches.flatMap((branch) => [...branch.keys()].map((i) => trunk.length + i)),
        ],
        0,
      ),
      group: fill([...Array(3).fill(0), ...Array(flat.length - 3).fill(1)], -1),
      branch: fill(
        [
          ...Array(3 + trunk.length).fill(0),
          ...branches.flatMap((branch, b) => Array(branch.length).fill(b + 1)),
        ],
        0,
      ),
      targetRows: Int32Array.from(targetRows),
      targets: separate.targets,
      coefficients: separate.coefficients,
    }
    const [one, two] = [await create(), await create()]
    const [a, b] = [await one.forwardBackward(separate), await two.forwardBackward(packed)]
    a.logprobs.forEach((logprob, i) => {
      expect(Math.abs(logprob - b.logprobs[i]!)).toBeLessThan(1e-5)
    })
    for (const [name, gradient] of one.gradients()) {
      const twin = two.gradients().get(name)!
      const scale = gradient.reduce((most, value) => Math.max(most, Math.abs(value)), 1)
      gradient.forEach((value, i) => {
        expect(Math.abs(value - twin[i]!), name).toBeLessThan(1e-5 * scale)
      })
    }
  })

  it('accumulates gradients until the step, which zeroes them', async () => {
    const [once, twice] = [await create(), await create()]
    const batch = plainBatch([tokensOf(6, 1)], [[5, 3, 1]])
    await once.forwardBackward(batch)
    await twice.forwardBackward(batch)
    await twice.forwardBackward(batch)
    const name = 'model.norm.weight'
    expect(twice.gradients().get(name)![0]).toBeCloseTo(2 * once.gradients().get(name)![0]!, 6)
    await twice.optimStep({ ...adam, learningRate: 1e-3 })
    expect(
      twice
        .gradients()
        .get(name)!
        .every((g) => g === 0),
    ).toBe(true)
  })

  it('overfits one batch', async () => {
    const session = await create(initialWeights(config, 3))
    const sequence = tokensOf(16, 2)
    const batch = plainBatch(
      [sequence],
      Array.from({ length: 15 }, (_, t) => [t, sequence[t + 1]!, 1 / 15] as const),
    )
    let loss = Number.POSITIVE_INFINITY
    for (let step = 0; step < 150 && loss > 0.05; step++) {
      loss = (await session.forwardBackward(batch)).loss
      await session.optimStep({ ...adam, learningRate: 1e-2 })
    }
    expect(loss).toBeLessThan(0.05)
  })

  it.each([
    [
      'a token outside the vocabulary',
      { tokens: Int32Array.of(40, 0, 0) },
      /tokens\[0\] is 40, outside 0\.\.39/,
    ],
    ['a target row outside the batch', { targetRows: Int32Array.of(3) }, /targetRows\[0\] is 3/],
    [
      'a field of the wrong length',
      { positions: new Int32Array(2) },
      /positions has 2 entries; 1 rows of 3 need 3/,
    ],
    [
      'targets and coefficients of different lengths',
      { coefficients: new Float32Array(2) },
      /differ in length/,
    ],
    [
      'no targets',
      { targets: new Int32Array(0), targetRows: new Int32Array(0), coefficients: new Float32Array(0) },
      /no targets/,
    ],
  ])('refuses %s', async (_, change, message) => {
    const session = await create()
    const batch = { ...plainBatch([tokensOf(3, 1)], [[1, 1, 1]]), ...change }
    await expect(session.forward(batch)).rejects.toThrow(message)
  })

  it('rejects weights that do not fit', async () => {
    const weights = weightsOf(1)
    weights.delete('model.norm.weight')
    await expect(TrainingSession.create(config, weights)).rejects.toThrow(
      /model.norm.weight should have 24 numbers/,
    )
    expect([...parameterShapes(config).keys()]).toHaveLength(2 + 9 * config.layers)
  })
})
