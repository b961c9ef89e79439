/**
 * Trains a decoder on ONNX Runtime: forward and backward pass are one graph per batch shape; weights go in and gradients
 * come out; the optimizer runs here. Compiled shapes are cached, and the least recently used are dropped first.
 */

import { checkThreads } from '../generation/check-options.ts'
import { checkWeights, type LlamaConfig, parameterShapes, type Weights } from '../models/llama-config.ts'
import { createSession, type InferenceSession, Tensor } from '../onnx/runtime.ts'
import { tensorOfIntegers } from '../onnx/tensor-of-integers.ts'
import {
  type AdamWOptions,
  type AdamWState,
  adamWStep,
  clipping,
  createAdamWState,
  zerosLike,
} from './adamw.ts'
import { applyOrthogonal, isMuonMatrix, momentumDirections, Orthogonalizer } from './muon.ts'
import { attentionMask, checkBatch, gatherRows, rotaryTables, type TrainingBatch } from './training-batch.ts'
import { createTrainingModel, gradientName, sumName } from './training-graph.ts'

export interface ForwardResult {
  /** -sum(coefficients * logprobs) */
  readonly loss: number
  /** [N] */
  readonly logprobs: Float32Array
  /** [N] 1 where the model ranks the target first. */
  readonly correct: Uint8Array
}

export interface TrainingSessionOptions {
  /** @default 2 */
  readonly threads?: number
  /** Temperature of the distributions behind the log-probabilities. @default 1 */
  readonly temperature?: number
}

export interface OptimizerOptions extends AdamWOptions {
  /** `muon` uses Muon for the matrices inside the layers and AdamW for the rest. @default 'adamw' */
  readonly algorithm?: 'adamw' | 'muon' | undefined
  /** Muon's momentum. @default 0.95 */
  readonly momentum?: number | undefined
}

/** Targets are padded to a multiple of this, so that few shapes need compiling. */
const targetQuantum = 256

/** Maximum number of compiled shapes to cache; each holds its own activations, a gigabyte for large batches. */
const mostShapes = 4

export class TrainingSession {
  readonly config: LlamaConfig
  /** Live: `optimStep` changes them in place. */
  readonly weights: Weights
  /** Accumulated; every pass adds its own and returns new ones. */
  readonly #gradients: Weights
  readonly #optimizer: AdamWState
  readonly #options: Required<TrainingSessionOptions>
  /** Settles when all calls so far have settled. */
  #last: Promise<unknown> = Promise.resolve()
  readonly #sessions = new Map<string, InferenceSession>()
  #mask = new Float32Array(0)
  /** For every position. */
  readonly #rotary: { readonly cosines: Float32Array; readonly sines: Float32Array }
  #orthogonalizer: Orthogonalizer | undefined

  private constructor(config: LlamaConfig, weights: Weights, options: TrainingSessionOptions) {
    this.config = config
    this.weights = weights
    this.#gradients = zerosLike(weights)
    this.#optimizer = createAdamWState(weights)
    const positions = Int32Array.from({ length: config.maxPositions }, (_, position) => position)
    this.#rotary = rotaryTables(positions, config.headDimension, config.ropeTheta)
    this.#options = {
      threads: options.threads ?? 2,
      temperature: options.temperature ?? 1,
    }
  }

  /** Uses the weights in place; `optimStep` changes them. @throws EngineError for weights that do not fit, or invalid threads */
  static async create(
    config: LlamaConfig,
    weights: Weights,
    options: TrainingSessionOptions = {},
  ): Promise<TrainingSession> {
    checkWeights(config, weights)
    checkThreads(options.threads)
    return new TrainingSession(config, weights, options)
  }

  /** Log-probabilities without gradients. @throws EngineError for a malformed batch */
  forward(batch: TrainingBatch): Promise<ForwardResult> {
    return this.#inTurn(() => this.#compute(batch, false))
  }

  /** Accumulates the gradient of the loss. @throws EngineError for a malformed batch */
  forwardBackward(batch: TrainingBatch): Promise<ForwardResult> {
    return this.#inTurn(() => this.#compute(batch, true))
  }

  /**
   * One optimizer step with the gradient of all passes so far, which is zeroed. Muon keeps its momentum in AdamW's `m`.
   * @throws EngineError if the gradient is not finite
   */
  optimStep(options: OptimizerOptions): Promise<{ readonly gradientNorm: number }> {
    return this.#inTurn(() => this.#step(options))
  }

  async #step(options: OptimizerOptions): Promise<{ readonly gradientNorm: number }> {
    if (options.algorithm !== 'muon') {
      return { gradientNorm: adamWStep(this.weights, this.#gradients, this.#optimizer, options) }
    }
    this.#orthogonalizer ??= await Orthogonalizer.create(this.config, this.#options.threads)
    const { norm, scale } = clipping(this.#gradients, options.clipNorm)
    const directions = momentumDirections(this.#gradients, this.#optimizer.m, options.momentum ?? 0.95, scale)
    // Muon's matrices are already clipped; the rest is scaled by the same factor below.
    const rest = { ...options, clipNorm: Number.POSITIVE_INFINITY }
    for (const [name, gradient] of this.#gradients) {
      if (!isMuonMatrix(name)) for (let i = 0; i < gradient.length; i++) gradient[i] = gradient[i]! * scale
    }
    adamWStep(this.weights, this.#gradients, this.#optimizer, rest, (name) => !isMuonMatrix(name))
    applyOrthogonal(
      this.weights,
      await this.#orthogonalizer.orthogonalize(directions),
      parameterShapes(this.config),
      options,
    )
    return { gradientNorm: norm }
  }

  /** Accumulated since the last step; live until the next pass. */
  gradients(): Weights {
    return this.#gradients
  }

  /** Restores what `gradients` held before a pass; passes make new arrays. @param gradients a copy of that map */
  restoreGradients(gradients: Weights): void {
    for (const [name, values] of gradients) this.#gradients.set(name, values)
  }

  optimizerState(): AdamWState {
    return this.#optimizer
  }

  loadOptimizerState(state: AdamWState): void {
    checkWeights(this.config, state.m)
    checkWeights(this.config, state.v)
    this.#optimizer.step = state.step
    for (const name of this.weights.keys()) {
      this.#optimizer.m.set(name, state.m.get(name)!)
      this.#optimizer.v.set(name, state.v.get(name)!)
    }
  }

  /** Waits for running passes. */
  async release(): Promise<void> {
    await this.#last
    const sessions = [...this.#sessions.values()]
    this.#sessions.clear()
    for (const session of sessions) await session.release()
    await this.#orthogonalizer?.release()
    this.#orthogonalizer = undefined
  }

  /** Runs passes and steps one at a time: they share memory, and the runtime computes one at a time anyway. */
  #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.#last.then(work)
    this.#last = result.catch(() => undefined)
    return result
  }

  async #compute(batch: TrainingBatch, isTraining: boolean): Promise<ForwardResult> {
    checkBatch(batch, this.config.vocabularySize, this.config.maxPositions)
    const count = batch.targets.length
    const padded = Math.ceil(count / targetQuantum) * targetQuantum
    const session = await this.#session(batch, padded, isTraining)
    const feeds = this.#feeds(batch, padded, isTraining)
    const outputs = await session.run(feeds)
    const logprobs = (outputs.logprobs!.data as Float32Array).slice(0, count)
    const best = outputs.best!.data as BigInt64Array
    const correct = Uint8Array.from(batch.targets, (target, i) => Number(Number(best[i]) === target))
    let loss = 0
    for (let i = 0; i < count; i++) loss -= batch.coefficients[i]! * logprobs[i]!
    if (isTraining) {
      for (const name of this.#gradients.keys()) {
        this.#gradients.set(name, outputs[gradientName(name)]!.data as Float32Array)
      }
    }
    return { loss, logprobs, correct }
  }

  /** Padding targets point at row 0 with coefficient 0. */
  #feeds(batch: TrainingBatch, padded: number, isTraining: boolean): Record<string, Tensor> {
    const { rows, rowLength } = batch
    const half = this.config.headDimension / 2
    const anglesOf = (table: Float32Array) =>
      new Tensor('float32', gatherRows(table, half, batch.positions), [rows, rowLength, 1, half])
    const feeds: Record<string, Tensor> = {
      tokens: tensorOfIntegers(batch.tokens, [batch.tokens.length]),
      cosines: anglesOf(this.#rotary.cosines),
      sines: anglesOf(this.#rotary.sines),
      mask: new Tensor('float32', attentionMask(batch, this.#maskOf(batch)), [rows, 1, rowLength, rowLength]),
      targetRows: tensorOfIntegers(batch.targetRows, [padded]),
      targets: tensorOfIntegers(batch.targets, [padded, 1]),
    }
    if (isTraining) {
      const coefficients = new Float32Array(padded)
      coefficients.set(batch.coefficients)
      feeds.coefficients = new Tensor('float32', coefficients, [padded, 1])
    }
    for (const [name, shape] of parameterShapes(this.config)) {
      feeds[name] = new Tensor('float32', this.weights.get(name)!, shape)
      if (isTraining) feeds[sumName(name)] = new Tensor('float32', this.#gradients.get(name)!, shape)
    }
    return feeds
  }

  #maskOf({ rows, rowLength }: TrainingBatch): Float32Array {
    const size = rows * rowLength ** 2
    if (this.#mask.length !== size) this.#mask = new Float32Array(size)
    return this.#mask
  }

  async #session(
    { rows, rowLength }: TrainingBatch,
    targets: number,
    isTraining: boolean,
  ): Promise<InferenceSession> {
    const key = [rows, rowLength, targets, isTraining].join()
    const known = this.#sessions.get(key)
    this.#sessions.delete(key)
    const session =
      known ??
      (await createSession(
        createTrainingModel(this.config, { rows, rowLength, targets }, isTraining, this.#options.temperature),
        this.#options.threads,
      ))
    this.#sessions.set(key, session)
    for (const [oldest, old] of this.#sessions) {
      if (this.#sessions.size <= mostShapes) break
      this.#sessions.delete(oldest)
      await old.release()
    }
    return session
  }
}
