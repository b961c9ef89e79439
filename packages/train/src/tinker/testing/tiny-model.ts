/** A language model small enough for a test and real enough to have gradients: the embedded engine's, with 64 tokens. */
import {
  type AdamWOptions,
  initialWeights,
  type LlamaConfig,
  TextGenerator,
  type TrainingBatch,
  TrainingSession,
  type Weights,
} from '@memagent/engine'
import type { TrainingState } from '../../policy/embedded-state.ts'
import type { SampleRequest } from '../../policy/policy.ts'

export const tinyConfig: LlamaConfig = {
  vocabularySize: 64,
  hiddenSize: 16,
  intermediateSize: 24,
  layers: 1,
  heads: 2,
  keyValueHeads: 1,
  headDimension: 8,
  ropeTheta: 10_000,
  rmsNormEpsilon: 1e-5,
  maxPositions: 128,
}

/** One shape for all, to compile once. */
const rowLength = 48

/**
 * Larger than usual initial weights, especially the embeddings: distributions are not flat, and log-probabilities change in
 * proportion to small steps, like those of trained models.
 */
export function tinyWeights(seed: number): Weights {
  const weights = initialWeights(tinyConfig, seed)
  for (const [name, values] of weights) {
    const factor = name.includes('embed') ? 16 : name.includes('norm') ? 1 : 2
    values.set(values.map((value) => value * factor))
  }
  return weights
}

export class TinyModel {
  readonly #session: TrainingSession

  private constructor(session: TrainingSession) {
    this.#session = session
  }

  static async create(weights: Weights): Promise<TinyModel> {
    return new TinyModel(await TrainingSession.create(tinyConfig, copyOf(weights), { threads: 1 }))
  }

  get weights(): Weights {
    return this.#session.weights
  }

  /** [N] log-probability of each target after the input tokens up to it. */
  async logprobs(input: readonly number[], targets: readonly number[]): Promise<number[]> {
    const { logprobs } = await this.#session.forward(batchOf(input, targets))
    return [...logprobs]
  }

  /** Adds the gradient of -sum(coefficients * logprobs). */
  async addGradient(
    input: readonly number[],
    targets: readonly number[],
    coefficients: readonly number[],
  ): Promise<void> {
    await this.#session.forwardBackward(batchOf(input, targets, coefficients))
  }

  /** Norm of the accumulated gradient, before a step. */
  scaleGradient(factor: number): void {
    for (const values of this.#session.gradients().values()) {
      for (let i = 0; i < values.length; i++) values[i] = values[i]! * factor
    }
  }

  async step(options: AdamWOptions): Promise<number> {
    return (await this.#session.optimStep(options)).gradientNorm
  }

  state(): TrainingState {
    const { step, m, v } = this.#session.optimizerState()
    return { weights: copyOf(this.weights), optimizer: { step, m: copyOf(m), v: copyOf(v) } }
  }

  load({ weights, optimizer }: TrainingState, withOptimizer: boolean): void {
    for (const [name, values] of weights) this.weights.get(name)!.set(values)
    const { step, m, v } = optimizer
    if (withOptimizer) this.#session.loadOptimizerState({ step, m: copyOf(m), v: copyOf(v) })
  }

  release(): Promise<void> {
    return this.#session.release()
  }
}

/** Frozen weights to sample from. */
export class TinySampler {
  readonly #generator: Promise<TextGenerator>

  constructor(weights: Weights) {
    this.#generator = TextGenerator.create(tinyConfig, copyOf(weights), { threads: 1 })
    this.#generator.catch(() => undefined)
  }

  async sample(request: SampleRequest) {
    const generator = await this.#generator
    const [result] = await generator.generate([{ ...request, logprobs: true }])
    return result!
  }

  /** [n - 1] of every token but the first. */
  async promptLogprobs(tokens: readonly number[]): Promise<number[]> {
    const generator = await this.#generator
    const distributions = await generator.nextTokenLogprobs(tokens.slice(0, 1), tokens.slice(1))
    return tokens.slice(1).map((token, i) => distributions[i]![token]!)
  }

  async release(): Promise<void> {
    await (await this.#generator).release()
  }
}

function batchOf(
  input: readonly number[],
  targets: readonly number[],
  coefficients: readonly number[] = targets.map(() => 0),
): TrainingBatch {
  const place = (values: readonly number[], rest: number) =>
    Int32Array.from({ length: rowLength }, (_, i) => values[i] ?? rest)
  return {
    rows: 1,
    rowLength,
    tokens: place(input, 0),
    positions: Int32Array.from({ length: rowLength }, (_, i) => i),
    group: place(
      input.map(() => 0),
      -1,
    ),
    branch: new Int32Array(rowLength),
    targetRows: Int32Array.from(targets, (_, i) => i),
    targets: Int32Array.from(targets),
    coefficients: Float32Array.from(coefficients),
  }
}

const copyOf = (weights: Weights): Weights =>
  new Map([...weights].map(([name, values]) => [name, values.slice()]))
