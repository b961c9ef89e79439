/** A model in training on a Tinker server: its requests in order, their datums in calls of limited size. */
import { ConfigurationError, createGate } from '@memagent/core'
import type { z } from 'zod'
import { checkGradients } from '../policy/check-gradients.ts'
import type { OptimizerStep, TokenSequence } from '../policy/policy.ts'
import { checkSequences, type DatumGroup, forwardDatum, gradientDatum, splitDatums } from './datum.ts'
import { protocolError, repeatingHarmless } from './errors.ts'
import type { ServerProfile } from './profiles.ts'
import { decodeLossOutput, encodeForwardBackward } from './protobuf-messages.ts'
import { responseLogprobs } from './response-logprobs.ts'
import type { TinkerSession } from './session.ts'
import { SubmitQueue } from './submit-queue.ts'
import { jsonBody, type RequestBody, statusError } from './transport.ts'
import {
  type AdamParameters,
  anySchema,
  type LossInput,
  type LossOutput,
  lossOutputSchema,
  modelSchema,
  optimizerSchema,
  pathSchema,
  sampledWeightsSchema,
} from './wire.ts'

export interface TrainingModelOptions {
  readonly baseModel: string
  /** 0 trains all weights. */
  readonly loraRank: number
  readonly seed?: number | undefined
}

export interface GradientBatch {
  readonly sequences: readonly TokenSequence[]
  /** The current log-probabilities, as `forward` returns them. */
  readonly logprobs: readonly Float32Array[]
  /** d loss / d logprob */
  readonly gradients: readonly Float32Array[]
}

/** Total size of request bodies, as in the official client; a body is kept until its result arrives, to be resent if needed. */
const maxBytesInFlight = 50_000_000

export class TrainingModel {
  readonly id: string
  readonly #session: TinkerSession
  readonly #profile: ServerProfile
  readonly #queue = new SubmitQueue()
  /** Requests that wait need not be built yet. A request larger than the whole limit is alone. */
  readonly #inFlight = createGate((bytes, inUse) => inUse === 0 || inUse + bytes <= maxBytesInFlight)

  private constructor(id: string, session: TinkerSession) {
    this.id = id
    this.#session = session
    this.#profile = session.profile
  }

  /** @throws ConfigurationError for a rank that the server cannot train; TinkerError if the server fails */
  static async create(session: TinkerSession, options: TrainingModelOptions): Promise<TrainingModel> {
    const { baseModel, loraRank, seed } = options
    const kind = loraRank === 0 ? 'full' : 'lora'
    if (!Number.isInteger(loraRank) || loraRank < 0 || !session.profile.tuning.includes(kind)) {
      throw new ConfigurationError({
        code: 'tinker/tuning',
        message: `A server of the profile ${session.profile.name} cannot train with LoRA rank ${loraRank}.`,
        hint: session.profile.tuning.includes('lora')
          ? 'Give a LoRA rank of 1 or more.'
          : 'It trains all weights: give the LoRA rank 0.',
      })
    }
    const body = jsonBody({
      session_id: session.id,
      model_seq_id: session.nextModelSeqId(),
      base_model: baseModel,
      lora_config: {
        rank: loraRank,
        ...(seed === undefined ? {} : { seed }),
        train_unembed: true,
        train_mlp: true,
        train_attn: true,
      },
      type: 'create_model',
    })
    const { model_id } = await session.call({ path: '/api/v1/create_model', body, schema: modelSchema })
    return new TrainingModel(model_id, session)
  }

  /** Log-probabilities of response tokens, per sequence. */
  async forward(sequences: readonly TokenSequence[], signal?: AbortSignal): Promise<Float32Array[]> {
    checkSequences(sequences)
    return this.#inGroups(splitDatums(sequences, 'forward', this.#profile), (group) => {
      const data = group.items.map((sequence) => forwardDatum(sequence, this.#profile))
      return this.#computeLoss({ data, loss_fn: 'cross_entropy' }, true, signal)
    })
  }

  /**
   * Adds the gradient of a whole optimizer batch, in as many calls as it takes.
   * @throws TinkerError if one of them fails; the accumulated gradient is then unknown
   */
  async addGradient(
    { sequences, logprobs, gradients }: GradientBatch,
    limits: Pick<ServerProfile, 'maxDatums' | 'maxBytes'> = this.#profile,
  ): Promise<Float32Array[]> {
    checkGradients(sequences, gradients)
    const groups = splitDatums(sequences, 'gradient', { ...this.#profile, ...limits })
    return this.#inGroups(groups, ({ items, from }) => {
      const data = items.map((sequence, i) =>
        gradientDatum(sequence, logprobs[from + i]!, gradients[from + i]!, sequences.length, this.#profile),
      )
      return this.#computeLoss({ data, loss_fn: 'importance_sampling' }, false)
    })
  }

  /** Sends groups concurrently, each built when its turn comes; none after a failure. */
  async #inGroups(
    groups: readonly DatumGroup<TokenSequence>[],
    send: (group: DatumGroup<TokenSequence>) => Promise<LossOutput>,
  ): Promise<Float32Array[]> {
    const failing = new AbortController()
    const results = groups.map((group) =>
      this.#inFlight(
        async () => {
          failing.signal.throwIfAborted()
          try {
            return responseLogprobs(group, await send(group))
          } catch (error) {
            failing.abort(error)
            throw error
          }
        },
        undefined,
        group.bytes,
      ),
    )
    return (await Promise.all(results)).flat()
  }

  /** One optimizer step. @returns the server's metrics, by name */
  async optimStep(step: OptimizerStep): Promise<Readonly<Record<string, number>>> {
    const { metrics } = await this.#call('optim_step', optimizerSchema, (seqId) => ({
      model_id: this.id,
      seq_id: seqId,
      adam_params: adamParameters(step, this.#profile),
      type: 'optim_step',
    }))
    return numbersOf(metrics)
  }

  /** Creates a sampler of the current weights. @returns its sampling session */
  async createSampler(signal?: AbortSignal): Promise<string> {
    const { sampling_session_id } = await repeatingHarmless(() => {
      const samplerSeqId = this.#session.nextSamplerSeqId()
      return this.#call(
        'save_weights_for_sampler',
        sampledWeightsSchema,
        (seqId) => ({
          model_id: this.id,
          seq_id: seqId,
          sampling_session_seq_id: samplerSeqId,
          type: 'save_weights_for_sampler',
        }),
        signal,
      )
    })
    if (sampling_session_id) return sampling_session_id
    throw protocolError('The server saved weights for the sampler and gave no sampling session.')
  }

  /** Saves weights and optimizer state. @returns their path on the server */
  async save(name: string, overwrite: boolean, signal?: AbortSignal): Promise<string> {
    const fieldsOf = (seqId: number) => ({
      model_id: this.id,
      path: name,
      seq_id: seqId,
      ...(overwrite ? { overwrite } : {}),
      type: 'save_weights',
    })
    const { path } = await this.#call('save_weights', pathSchema, fieldsOf, signal)
    return path
  }

  /**
   * Deletes a state that `save` returned, of this model or another; a missing one is not an error. Tries once: the caller can
   * repeat it.
   * @returns false if the server cannot delete states
   * @throws TinkerHttpError if it fails
   */
  async deleteSaved(path: string, signal?: AbortSignal): Promise<boolean> {
    const [, run, name] = /^tinker:\/\/([^/]+)\/weights\/([^/]+)$/.exec(path) ?? []
    if (run === undefined || name === undefined) return false
    const { transport } = this.#session
    const place = `/api/v1/training_runs/${encodeURIComponent(run)}/checkpoints/weights/${encodeURIComponent(name)}`
    const reply = await transport.send(place, undefined, { method: 'DELETE', timeoutMs: 60_000, signal })
    if ((reply.status >= 200 && reply.status < 300) || reply.status === 404) return true
    if (reply.status === 405 || reply.status === 501) return false
    throw statusError(transport.baseUrl, place, reply, false)
  }

  /** Loads weights and optimizer state from a path that `save` returned. Must be the first request to a model. */
  async load(path: string): Promise<void> {
    await this.#call('load_weights', anySchema, (seqId) => ({
      model_id: this.id,
      path,
      optimizer: true,
      seq_id: seqId,
      type: 'load_weights',
    }))
  }

  /** @param signal gives up; the server unloads the models of silent sessions anyway */
  async unload(signal?: AbortSignal): Promise<void> {
    const body = jsonBody({ model_id: this.id, type: 'unload_model' })
    await this.#session.call({ path: '/api/v1/unload_model', body, schema: anySchema, signal }, signal)
  }

  async #computeLoss(input: LossInput, isForward: boolean, signal?: AbortSignal): Promise<LossOutput> {
    const run = () => {
      if (this.#profile.wire === 'json') {
        const path = isForward ? 'forward' : 'forward_backward'
        return this.#call(
          path,
          lossOutputSchema,
          (seqId) => ({ model_id: this.id, seq_id: seqId, [`${path}_input`]: input }),
          signal,
        )
      }
      return this.#submit({
        name: 'forward_backward',
        schema: lossOutputSchema,
        bodyOf: (seqId): RequestBody => ({
          content: encodeForwardBackward({ modelId: this.id, seqId, input, isForward }),
          contentType: 'application/x-protobuf',
        }),
        decode: decodeLossOutput,
        signal,
      })
    }
    return isForward ? repeatingHarmless(run) : run()
  }

  #call<Result>(
    name: string,
    schema: z.ZodType<Result>,
    fieldsOf: (seqId: number) => unknown,
    signal?: AbortSignal,
  ): Promise<Result> {
    return this.#submit({ name, schema, bodyOf: (seqId) => jsonBody(fieldsOf(seqId)), signal })
  }

  async #submit<Result>({ name, schema, bodyOf, decode, signal }: NumberedCall<Result>): Promise<Result> {
    const { call, requestId } = await this.#queue.submit(async (seqId) => {
      const call = { path: `/api/v1/${name}`, body: bodyOf(seqId), schema, decode, signal }
      return { call, requestId: await this.#session.submit(call) }
    }, signal)
    return this.#session.await(call, requestId)
  }
}

interface NumberedCall<Result> {
  /** The path's last part. */
  readonly name: string
  readonly schema: z.ZodType<Result>
  readonly bodyOf: (seqId: number) => RequestBody
  readonly decode?: ((bytes: Uint8Array) => unknown) | undefined
  readonly signal?: AbortSignal | undefined
}

/** Omits fields that the server ignores. */
function adamParameters(step: OptimizerStep, profile: ServerProfile): AdamParameters {
  const all: Required<Omit<AdamParameters, 'grad_clip_norm'>> = {
    learning_rate: step.learningRate,
    beta1: step.beta1,
    beta2: step.beta2,
    eps: step.epsilon,
    weight_decay: step.weightDecay,
  }
  const heeded = Object.fromEntries(profile.optimizerFields.map((field) => [field, all[field]]))
  const clips = profile.gradientClip === 'request'
  return {
    ...heeded,
    learning_rate: step.learningRate,
    ...(clips ? { grad_clip_norm: Number.isFinite(step.clipNorm) ? step.clipNorm : 0 } : {}),
  }
}

/** Keeps the numeric metrics; a server may have no number for one. */
const numbersOf = (metrics: Readonly<Record<string, number | null>> | null | undefined) =>
  Object.fromEntries(
    Object.entries(metrics ?? {}).filter((entry): entry is [string, number] => typeof entry[1] === 'number'),
  )

/** The gradient's norm among the metrics of a step: `skyrl.ai/grad_norm`, `actor/grad_norm`. */
export function gradientNormOf(metrics: Readonly<Record<string, number>>): number | undefined {
  return Object.entries(metrics).find(([name]) => /grad(ient)?_norm(:|$)/.test(name))?.[1]
}
