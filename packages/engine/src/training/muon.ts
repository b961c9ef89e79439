/**
 * Muon (Jordan et al., 2024): momentum whose matrices are orthogonalized before the step, so that every direction of a
 * weight matrix moves at the same rate. Scaled as in Liu et al., arXiv 2502.16982, so that AdamW's learning rate and
 * weight decay serve both. Used for matrices inside the layers; embeddings and norms use AdamW.
 */

import { add, multiply } from '../graph/elementwise.ts'
import { Graph, type Value } from '../graph/graph.ts'
import { batchedMatmul } from '../graph/matmul.ts'
import { type LlamaConfig, parameterShapes, type Weights } from '../models/llama-config.ts'
import { createSession, type InferenceSession, Tensor } from '../onnx/runtime.ts'
import { serializeModel } from '../onnx/serialize.ts'

/** Newton-Schulz iteration X <- aX + (bA + cA^2)X with A = XX^T, whose five rounds bring singular values near 1. */
const [a, b, c, rounds] = [3.4445, -4.775, 2.0315, 5]

interface MatrixGroup {
  readonly rows: number
  readonly columns: number
  readonly names: string[]
}

export const isMuonMatrix = (name: string): boolean => name.endsWith('_proj.weight')

/** Orthogonalizes the matrices of a model on the runtime, all of one shape at once. */
export class Orthogonalizer {
  readonly #groups: readonly MatrixGroup[]
  readonly #session: InferenceSession

  private constructor(groups: readonly MatrixGroup[], session: InferenceSession) {
    this.#groups = groups
    this.#session = session
  }

  static async create(config: LlamaConfig, threads: number): Promise<Orthogonalizer> {
    const groups = new Map<string, MatrixGroup>()
    for (const [name, [rows, columns]] of parameterShapes(config)) {
      if (!isMuonMatrix(name)) continue
      const key = `${rows}x${columns}`
      if (!groups.has(key)) groups.set(key, { rows: rows!, columns: columns!, names: [] })
      groups.get(key)!.names.push(name)
    }
    const graph = new Graph()
    for (const [key, { rows, columns, names }] of groups) {
      graph.output(`o${key}`, newtonSchulz(graph, graph.input(key, [names.length, rows, columns])))
    }
    const session = await createSession(serializeModel(graph), threads)
    return new Orthogonalizer([...groups.values()], session)
  }

  /**
   * @param directions the matrices by name; scaling one does not change its result
   * @returns matrices of the same shapes with singular values near 1 (0.7 to 1.2), in the directions of the given ones
   */
  async orthogonalize(directions: Weights): Promise<Weights> {
    const feeds: Record<string, Tensor> = {}
    for (const { rows, columns, names } of this.#groups) {
      const size = rows * columns
      const all = new Float32Array(names.length * size)
      names.forEach((name, n) => {
        const values = directions.get(name)!
        let square = 0
        for (const value of values) square += value * value
        const scale = 1 / (Math.sqrt(square) + 1e-12)
        for (let i = 0; i < size; i++) all[n * size + i] = values[i]! * scale
      })
      feeds[`${rows}x${columns}`] = new Tensor('float32', all, [names.length, rows, columns])
    }
    const outputs = await this.#session.run(feeds)
    const result: Weights = new Map()
    for (const { rows, columns, names } of this.#groups) {
      const all = outputs[`o${rows}x${columns}`]!.data as Float32Array
      names.forEach((name, n) => {
        result.set(name, all.subarray(n * rows * columns, (n + 1) * rows * columns))
      })
    }
    return result
  }

  release(): Promise<void> {
    return this.#session.release()
  }
}

/** @param start [N, R, C] with Frobenius norms of at most 1 */
function newtonSchulz(graph: Graph, start: Value): Value {
  const isWide = start.shape[1]! <= start.shape[2]!
  let x = start
  for (let round = 0; round < rounds; round++) {
    const gram = isWide
      ? batchedMatmul(graph, x, x, { transposeB: true })
      : batchedMatmul(graph, x, x, { transposeA: true })
    const polynomial = add(
      graph,
      multiply(graph, gram, graph.scalar(b)),
      batchedMatmul(graph, gram, gram, { alpha: c }),
    )
    const product = isWide ? batchedMatmul(graph, polynomial, x) : batchedMatmul(graph, x, polynomial)
    x = add(graph, multiply(graph, x, graph.scalar(a)), product)
  }
  return x
}

/** Nesterov momentum, in place. @returns the directions to orthogonalize */
export function momentumDirections(
  gradients: Weights,
  momenta: Weights,
  momentum: number,
  scale: number,
): Weights {
  const directions: Weights = new Map()
  for (const [name, gradient] of gradients) {
    if (!isMuonMatrix(name)) continue
    const average = momenta.get(name)!
    const direction = new Float32Array(gradient.length)
    for (let i = 0; i < gradient.length; i++) {
      const g = gradient[i]! * scale
      const next = momentum * average[i]! + (1 - momentum) * g
      average[i] = next
      direction[i] = momentum * next + (1 - momentum) * g
      gradient[i] = 0
    }
    directions.set(name, direction)
  }
  return directions
}

/** w <- (1 - rate * decay) w - rate * 0.2 * sqrt(max(R, C)) * O (arXiv 2502.16982, equation 4). */
export function applyOrthogonal(
  weights: Weights,
  updates: Weights,
  shapes: ReadonlyMap<string, readonly number[]>,
  options: { readonly learningRate: number; readonly weightDecay: number },
): void {
  for (const [name, update] of updates) {
    const values = weights.get(name)!
    const rate = options.learningRate * 0.2 * Math.sqrt(Math.max(...shapes.get(name)!))
    const keep = 1 - options.learningRate * options.weightDecay
    for (let i = 0; i < values.length; i++) values[i] = values[i]! * keep - rate * update[i]!
  }
}
