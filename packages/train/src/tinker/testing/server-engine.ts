/** The test server's computation: models in training, their checkpoints, and samplers of frozen weights. */
import type { Weights } from '@memagent/engine'
import type { TrainingState } from '../../policy/embedded-state.ts'
import type { Datum } from '../wire.ts'
import { LossRefusal, reductionFactors, tokenLoss } from './losses.ts'
import type { ServerBehaviour } from './server-behaviour.ts'
import { TinyModel, TinySampler, tinyConfig, tinyWeights } from './tiny-model.ts'

/** The server accepted the request and failed. */
export class JobFailure extends Error {}

interface Model {
  readonly tiny: TinyModel
  /** What the gradient is divided by at the optimizer step. */
  divisor: number
  isTouched: boolean
}

const tensor = (data: readonly number[]) => ({ data, dtype: 'float32' as const, shape: [data.length] })
export type LossOutputs = Record<string, ReturnType<typeof tensor>>[]

export class ServerEngine {
  readonly #behaviour: ServerBehaviour
  readonly #base: Weights = tinyWeights(1)
  readonly #models = new Map<string, Model>()
  readonly #samplers = new Map<string, TinySampler>()
  readonly #checkpoints = new Map<string, TrainingState>()
  #baseSampler: TinySampler | undefined
  #newest: TinySampler | undefined
  #seed = 1

  constructor(behaviour: ServerBehaviour) {
    this.#behaviour = behaviour
  }

  hasModel = (id: string): boolean => this.#models.has(id)
  hasSampler = (id: string): boolean => this.#samplers.has(id)
  hasCheckpoint = (path: string): boolean => this.#checkpoints.has(path)

  async createModel(id: string): Promise<void> {
    if (this.#models.size >= this.#behaviour.maxModels)
      throw new JobFailure('Maximum number of models reached')
    this.#models.set(id, { tiny: await TinyModel.create(this.#base), divisor: 0, isTouched: false })
  }

  async unloadModel(id: string): Promise<void> {
    await this.#models.get(id)?.tiny.release()
    this.#models.delete(id)
  }

  async computeLoss(
    id: string,
    data: readonly Datum[],
    loss: string,
    config: Readonly<Record<string, number>>,
    isForward: boolean,
  ): Promise<LossOutputs> {
    const model = this.#touch(id)
    const { reduction, gradientSign, forwardOffset, noise } = this.#behaviour
    const outputs: LossOutputs = []
    for (const datum of data) {
      const input = datum.model_input.chunks.flatMap(({ tokens }) => tokens)
      const targets = datum.loss_fn_inputs.target_tokens?.data ?? []
      if ([...input, ...targets].some((token) => token >= tinyConfig.vocabularySize)) {
        throw new JobFailure('A token is outside the vocabulary')
      }
      const logprobs = await model.tiny.logprobs(input, targets)
      let term: ReturnType<typeof tokenLoss>
      try {
        term = tokenLoss(datum, loss, config, logprobs, this.#behaviour)
      } catch (error) {
        throw error instanceof LossRefusal ? new JobFailure(error.message) : error
      }
      if (!isForward) {
        const { now, count } = reductionFactors(reduction, term.weight, data.length)
        const coefficients = term.coefficients.map((value) => value * now * gradientSign)
        await model.tiny.addGradient(input, targets, coefficients)
        model.divisor += count
      }
      const shown = logprobs.map((logprob) => logprob + forwardOffset + noise * this.#random())
      outputs.push({ elementwise_loss: tensor(term.losses), logprobs: tensor(shown) })
    }
    return outputs
  }

  async step(id: string, parameters: Readonly<Record<string, number>>): Promise<Record<string, number>> {
    const model = this.#touch(id)
    const { optimizerFields, weightDecay, gradientClip, gradientNormMetric } = this.#behaviour
    const { learning_rate = 1e-4 } = parameters
    const heeded =
      optimizerFields === 'all' ? parameters : { beta2: 0.999, weight_decay: weightDecay, eps: 1e-8 }
    const { beta1 = 0.9, beta2 = 0.95, eps = 1e-12, weight_decay = 0 } = heeded
    const asked = parameters.grad_clip_norm || Number.POSITIVE_INFINITY
    const clipNorm =
      gradientClip === 'none' ? Number.POSITIVE_INFINITY : gradientClip === 'request' ? asked : gradientClip
    if (model.divisor > 0) model.tiny.scaleGradient(1 / model.divisor)
    model.divisor = 0
    const norm = await model.tiny.step({
      learningRate: learning_rate,
      beta1,
      beta2,
      epsilon: eps,
      weightDecay: weight_decay,
      clipNorm,
    })
    return gradientNormMetric === undefined
      ? {}
      : { [gradientNormMetric]: norm, 'skyrl.ai/learning_rate': learning_rate }
  }

  saveSampler(id: string, samplerId: string | undefined): void {
    const { tiny } = this.#touch(id)
    const sampler = new TinySampler(tiny.weights)
    this.#newest = sampler
    if (samplerId === undefined) return
    this.#samplers.set(samplerId, sampler)
  }

  createBaseSampler(samplerId: string): void {
    this.#baseSampler ??= new TinySampler(this.#base)
    this.#samplers.set(samplerId, this.#baseSampler)
  }

  sampler(id: string): TinySampler {
    const own = this.#samplers.get(id)!
    const isSnapshot = own !== this.#baseSampler
    // One set of weights in the sampler: older sessions silently use the newest.
    return isSnapshot && this.#behaviour.samplerHolds === 'newest' ? this.#newest! : own
  }

  saveCheckpoint(id: string, path: string): void {
    this.#checkpoints.set(path, this.#touch(id).tiny.state())
  }

  deleteCheckpoint = (path: string): boolean => this.#checkpoints.delete(path)

  loadCheckpoint(id: string, path: string, withOptimizer: boolean): void {
    const model = this.#models.get(id)!
    if (model.isTouched) throw new JobFailure('load_weights must be the first request of a model')
    model.isTouched = true
    model.tiny.load(this.#checkpoints.get(path)!, withOptimizer)
  }

  async release(): Promise<void> {
    for (const { tiny } of this.#models.values()) await tiny.release()
    for (const sampler of new Set([...this.#samplers.values(), this.#newest, this.#baseSampler])) {
      await sampler?.release()
    }
  }

  /** In [-1, 1), the same from run to run. */
  #random(): number {
    this.#seed = (Math.imul(this.#seed, 1664525) + 1013904223) >>> 0
    return this.#seed / 2 ** 31 - 1
  }

  #touch(id: string): Model {
    const model = this.#models.get(id)
    if (!model) throw new JobFailure('The model has been unloaded')
    model.isTouched = true
    return model
  }
}
