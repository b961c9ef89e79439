import { describe, expect, it } from 'vitest'
import { initialWeights, type LlamaConfig, parameterShapes, type Weights } from '../models/llama-config.ts'
import { tinyLlama } from '../testing/tiny-llama.ts'
import { applyOrthogonal, isMuonMatrix, momentumDirections, Orthogonalizer } from './muon.ts'
import { TrainingSession } from './training-session.ts'

const config: LlamaConfig = {
  ...tinyLlama,
  ...{ vocabularySize: 24, hiddenSize: 16, intermediateSize: 24 },
  ...{ heads: 2, keyValueHeads: 1, headDimension: 8, maxPositions: 32 },
}

/** A singular value after five rounds: the iteration acts on each one by itself. */
const afterRounds = (value: number) => {
  let s = value
  for (let i = 0; i < 5; i++) s = 3.4445 * s - 4.775 * s ** 3 + 2.0315 * s ** 5
  return s
}

/** X X^T of a [rows, columns] matrix, or X^T X when that is smaller. */
function gram(values: Float32Array, [rows, columns]: readonly number[]): number[][] {
  const [size, inner] = rows! <= columns! ? [rows!, columns!] : [columns!, rows!]
  const at = (i: number, k: number) =>
    rows! <= columns! ? values[i * columns! + k]! : values[k * columns! + i]!
  return Array.from({ length: size }, (_, i) =>
    Array.from({ length: size }, (_, j) => {
      let sum = 0
      for (let k = 0; k < inner; k++) sum += at(i, k) * at(j, k)
      return sum
    }),
  )
}

describe('Orthogonalizer', () => {
  it('gives a diagonal matrix the singular values of the scalar iteration, whatever its scale', async () => {
    const orthogonalizer = await Orthogonalizer.create(config, 1)
    for (const scale of [1, 1e-4]) {
      const directions: Weights = new Map()
      const diagonals = new Map<string, number[]>()
      for (const [name, [rows, columns]] of parameterShapes(config)) {
        if (!isMuonMatrix(name)) continue
        const diagonal = Array.from({ length: Math.min(rows!, columns!) }, (_, i) => 1 + (i % 4))
        const values = new Float32Array(rows! * columns!)
        diagonal.forEach((value, i) => {
          values[i * columns! + i] = value * scale
        })
        directions.set(name, values)
        diagonals.set(name, diagonal)
      }
      const result = await orthogonalizer.orthogonalize(directions)
      expect([...result.keys()].sort()).toEqual([...directions.keys()].sort())
      for (const [name, diagonal] of diagonals) {
        const columns = parameterShapes(config).get(name)![1]!
        const norm = Math.hypot(...diagonal)
        diagonal.forEach((value, i) => {
          expect(result.get(name)![i * columns + i]).toBeCloseTo(afterRounds(value / norm), 4)
        })
      }
    }
    await orthogonalizer.release()
  })

  it('makes the rows of any matrix nearly orthonormal', async () => {
    const orthogonalizer = await Orthogonalizer.create(config, 1)
    const result = await orthogonalizer.orthogonalize(initialWeights(config, 7))
    for (const [name, values] of result) {
      const products = gram(values, parameterShapes(config).get(name)!)
      products.forEach((row, i) => {
        row.forEach((product, j) => {
          if (i === j) expect(product, `${name} ${i}`).toBeGreaterThan(0.25)
          expect(Math.abs(product - (i === j ? 0.9 : 0)), `${name} ${i},${j}`).toBeLessThan(0.7)
        })
      })
    }
    await orthogonalizer.release()
  })
})

describe('a Muon step', () => {
  it('averages gradients with Nesterov momentum, as calculated by hand', () => {
    const name = 'x_proj.weight'
    const gradients: Weights = new Map([
      [name, Float32Array.of(2)],
      ['norm', Float32Array.of(5)],
    ])
    const momenta: Weights = new Map([[name, Float32Array.of(1)]])
    // Clipped gradient 1: average 0.9*1 + 0.1*1 = 1; direction 0.9*1 + 0.1*1 = 1.
    expect(momentumDirections(gradients, momenta, 0.9, 0.5).get(name)![0]).toBeCloseTo(1, 6)
    // Then a gradient of -4: average 0.9 - 0.4 = 0.5; direction 0.45 - 0.4 = 0.05.
    gradients.set(name, Float32Array.of(-4))
    expect(momentumDirections(gradients, momenta, 0.9, 1).get(name)![0]).toBeCloseTo(0.05, 6)
    expect(gradients.get(name)![0]).toBe(0)
    expect(gradients.get('norm')![0]).toBe(5)
  })

  it('moves weights by 0.2 sqrt(max(rows, columns)) times the rate after decay', () => {
    const weights: Weights = new Map([['x_proj.weight', Float32Array.of(1, 1)]])
    const updates: Weights = new Map([['x_proj.weight', Float32Array.of(1, -1)]])
    applyOrthogonal(weights, updates, new Map([['x_proj.weight', [1, 25]]]), {
      learningRate: 0.1,
      weightDecay: 0.5,
    })
    expect(weights.get('x_proj.weight')![0]).toBeCloseTo(0.95 - 0.1, 6)
    expect(weights.get('x_proj.weight')![1]).toBeCloseTo(0.95 + 0.1, 6)
  })

  it('overfits a small batch, with AdamW for embeddings and norms', async () => {
    const session = await TrainingSession.create(config, initialWeights(config, 3))
    const tokens = Int32Array.from({ length: 16 }, (_, i) => (i * 7) % 24)
    const batch = {
      rows: 1,
      rowLength: 16,
      tokens,
      positions: Int32Array.from(tokens, (_, i) => i),
      group: new Int32Array(16),
      branch: new Int32Array(16),
      targetRows: Int32Array.from({ length: 15 }, (_, i) => i),
      targets: tokens.slice(1),
      coefficients: new Float32Array(15).fill(1 / 15),
    }
    const before = (await session.forward(batch)).loss
    for (let step = 0; step < 60; step++) {
      await session.forwardBackward(batch)
      await session.optimStep({
        algorithm: 'muon',
        learningRate: 0.02,
        beta1: 0.9,
        beta2: 0.98,
        epsilon: 1e-8,
        weightDecay: 0,
        clipNorm: 1,
      })
    }
    const after = await session.forward(batch)
    await session.release()
    expect(before).toBeGreaterThan(2)
    expect(after.loss).toBeLessThan(0.1)
  })
})
