/**
 * A policy on a server of the Tinker API: weights are trained and sampled there, the training loop's decisions are made here.
 * The trainer cannot tell it from the embedded engine.
 *
 * Gradients are held back until the optimizer step: servers that average need the number of datums before the first one is
 * sent, and an abandoned batch leaves nothing behind on the server.
 */
import { checkGradients } from '../policy/check-gradients.ts'
import type { OptimizerStep, Policy, TokenSequence } from '../policy/policy.ts'
import { checkStateName } from '../policy/state-name.ts'
import { checkConformance } from './conformance.ts'
import { resolveAddress } from './credentials.ts'
import { checkSequences } from './datum.ts'
import type { OnNotice, TinkerEffects } from './effects.ts'
import { TinkerError, TinkerHttpError } from './errors.ts'
import { createReference, createSnapshot, missingReference, type TinkerSnapshot } from './frozen-policy.ts'
import { largestDifference } from './logprob-differences.ts'
import { type ProfileChoice, resolveProfile, type ServerProfile } from './profiles.ts'
import { SampleGate, type SampleGateOptions } from './sample-gate.ts'
import { Sampler } from './sampler.ts'
import { TinkerSession } from './session.ts'
import { isNumberTaken } from './submit-queue.ts'
import { gradientNormOf, TrainingModel } from './training-model.ts'

export interface TinkerPolicyOptions {
  /** As the server names it: `Qwen/Qwen2.5-7B-Instruct`. */
  readonly baseModel: string
  /** The kind of server: a name in `tinkerProfiles`, or a description of another. */
  readonly profile: ProfileChoice
  /** @default TINKER_BASE_URL, or else the official service */
  readonly baseUrl?: string | undefined
  /** @default TINKER_API_KEY */
  readonly apiKey?: string | undefined
  /** @default process.env */
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined
  /** 0 trains all weights, if the server can. @default 32, or 0 if it can do nothing else */
  readonly loraRank?: number | undefined
  /** Seed of the LoRA's initial weights. */
  readonly seed?: number | undefined
  /** A path returned by `saveState`, to resume from. */
  readonly restoreFrom?: string | undefined
  /**
   * Checks before training that the server computes what its profile says: `full` trains a throw-away model for a few
   * steps, `forward` only compares log-probabilities, `none` skips the check. @default 'full'
   */
  readonly conformance?: 'full' | 'forward' | 'none' | undefined
  readonly sampling?: SampleGateOptions | undefined
  /** Called with notices for people: server messages, settings without effect. @default process.emitWarning */
  readonly onNotice?: OnNotice | undefined
  /** How long to repeat a request while the server is unreachable, in milliseconds. @default 300_000 */
  readonly patienceMs?: number | undefined
  /** @default 10_000 */
  readonly heartbeatMs?: number | undefined
  /** Replaced in tests. */
  readonly effects?: Partial<TinkerEffects> | undefined
}

/**
 * Opens a session, creates or restores the model, and checks the server.
 * @throws ConfigurationError for impossible settings; TinkerConformanceError if the server does not compute what its profile
 * says; TinkerHttpError if it is unreachable or refuses
 */
export async function createTinkerPolicy(options: TinkerPolicyOptions): Promise<Policy> {
  const profile = resolveProfile(options.profile)
  const address = resolveAddress(options, options.environment ?? process.env, profile.auth)
  const { baseModel, conformance = 'full' } = options
  const loraRank = options.loraRank ?? (profile.tuning.includes('lora') ? 32 : 0)
  const modelOptions = { baseModel, loraRank, seed: options.seed }
  const session = await TinkerSession.create({ ...options, address, profile })
  const gate = new SampleGate(session.transport.effects.now, options.sampling)
  try {
    await session.checkModel(baseModel)
    if (conformance !== 'none') {
      await checkConformance(session, modelOptions, gate, conformance)
    }
    const model = await TrainingModel.create(session, modelOptions)
    if (options.restoreFrom !== undefined) await restore(model, options.restoreFrom)
    return tinkerPolicy(session, model, gate, baseModel)
  } catch (error) {
    session.close()
    throw error
  }
}

async function restore(model: TrainingModel, path: string): Promise<void> {
  try {
    await model.load(path)
  } catch (error) {
    // The first error is the one that matters.
    await model.unload(AbortSignal.timeout(10_000)).catch(() => undefined)
    throw error
  }
}

interface PendingGradient {
  readonly sequences: readonly TokenSequence[]
  readonly logprobs: readonly Float32Array[]
  readonly gradients: readonly Float32Array[]
}

interface KnownSequence {
  readonly promptTokens: readonly number[]
  readonly logprobs: Float32Array
}

function tinkerPolicy(
  session: TinkerSession,
  model: TrainingModel,
  gate: SampleGate,
  baseModel: string,
): Policy {
  const { profile, onNotice } = session
  const reference =
    profile.reference === 'none'
      ? missingReference(profile.name)
      : createReference(async () => new Sampler(session, await session.createBaseSampler(baseModel), gate))
  const notices = new Set<string>()
  const noticeOnce = (message: string) => {
    if (notices.has(message)) return
    notices.add(message)
    onNotice(message)
  }
  const save = stateSaver(model)
  let pending: PendingGradient[] = []
  let newest: TinkerSnapshot | undefined
  let broken: unknown
  let closing: Promise<void> | undefined
  const checkUsable = () => {
    if (closing) throw new TinkerError({ code: 'tinker/closed', message: 'The policy has been closed.' })
    if (broken === undefined) return
    throw new TinkerError({
      code: 'tinker/unknown-weights',
      message: `An optimizer step failed half-way, so the state of the weights is unknown: ${(broken as Error).message}`,
      hint: 'Continue from the last saved state with a new policy.',
      cause: broken,
    })
  }
  // Log-probabilities under the current weights: those that a loss was computed from are reused for its gradient. Keyed by the
  // response's tokens, since the objects around them are rebuilt when fields are added.
  let known = new WeakMap<readonly number[], KnownSequence>()
  const knownOf = ({ promptTokens, responseTokens }: TokenSequence) => {
    const found = known.get(responseTokens)
    return found?.promptTokens === promptTokens ? found.logprobs : undefined
  }
  const forward = async (
    sequences: readonly TokenSequence[],
    signal: AbortSignal | undefined,
  ): Promise<Float32Array[]> => {
    if (sequences.length === 0) return []
    const present = known
    const logprobs = await model.forward(sequences, signal)
    for (const [i, { promptTokens, responseTokens }] of sequences.entries()) {
      present.set(responseTokens, { promptTokens, logprobs: logprobs[i]!.slice() })
    }
    return logprobs
  }
  const sendPending = async (batch: readonly PendingGradient[]) => {
    if (batch.length === 0) return
    const logprobs = batch.flatMap((part) => part.logprobs)
    const again = await model.addGradient({
      sequences: batch.flatMap((part) => part.sequences),
      logprobs,
      gradients: batch.flatMap((part) => part.gradients),
    })
    const drift = largestDifference(logprobs, again)
    // exp(p - q) scales the gradient, by 1.6 at 0.5.
    if (drift > 0.5) {
      noticeOnce(
        `The server's log-probabilities of the same tokens differ by up to ${drift.toFixed(2)} between two passes; gradients are just as inexact.`,
      )
    }
  }

  return {
    name: `tinker:${baseModel}`,
    // Servers train at temperature 1 (one has a setting for it, which a request cannot change).
    temperature: 1,
    reference,
    async forward(sequences, signal) {
      checkUsable()
      return forward(sequences, signal)
    },
    async forwardBackward(sequences, gradients, signal) {
      checkUsable()
      checkSequences(sequences)
      checkGradients(sequences, gradients)
      signal?.throwIfAborted()
      const found = sequences.flatMap((sequence) => knownOf(sequence)?.slice() ?? [])
      const logprobs = found.length === sequences.length ? found : await forward(sequences, signal)
      pending.push({
        sequences: [...sequences],
        logprobs: logprobs.map((values) => values.slice()),
        gradients: gradients.map((values) => values.slice()),
      })
      return logprobs
    },
    async optimStep(step) {
      checkUsable()
      for (const message of settingsWithoutEffect(step, profile)) noticeOnce(message)
      const batch = pending
      pending = []
      known = new WeakMap()
      try {
        // Do not send the step together with the gradients: if one of them fails, the rest must not be applied.
        await sendPending(batch)
        return { gradientNorm: gradientNormOf(await model.optimStep(step)) }
      } catch (error) {
        broken = error
        throw error
      } finally {
        // Also drop results computed while the step was in flight.
        known = new WeakMap()
      }
    },
    async snapshot() {
      checkUsable()
      if (profile.samplerHolds === 'newest') await newest?.retire()
      const snapshot = createSnapshot(new Sampler(session, await model.createSampler(), gate))
      newest = snapshot
      return snapshot
    },
    async saveState(name, signal) {
      checkUsable()
      checkStateName(name)
      return save(name, signal)
    },
    async deleteState(state, signal) {
      checkUsable()
      if (await model.deleteSaved(state, signal)) return
      noticeOnce('The server does not delete saved states, so replaced ones stay there.')
    },
    close() {
      closing ??= (async () => {
        await newest?.close()
        await reference.close()
        try {
          await model.unload(AbortSignal.timeout(30_000))
        } catch (error) {
          onNotice(`The model could not be unloaded: ${(error as Error).message}`)
        } finally {
          session.close()
        }
      })()
      return closing
    },
  }
}

function settingsWithoutEffect(step: OptimizerStep, profile: ServerProfile): string[] {
  const messages: string[] = []
  if (profile.gradientClip !== 'request' && Number.isFinite(step.clipNorm)) {
    const who =
      profile.gradientClip === 'server' ? 'clips according to its own configuration' : 'does not clip'
    messages.push(`A server of the profile ${profile.name} ${who}: clipNorm ${step.clipNorm} has no effect.`)
  }
  const ignored = (['beta1', 'beta2', 'eps', 'weight_decay'] as const).filter(
    (field) => !(profile.optimizerFields as readonly string[]).includes(field),
  )
  if (ignored.length > 0) {
    messages.push(
      `A server of the profile ${profile.name} takes ${ignored.join(', ')} from its own configuration; yours have no effect.`,
    )
  }
  return messages
}

/**
 * Saves under chosen names. On servers that do not overwrite, an existing state keeps its name and the new one gets another.
 */
function stateSaver(model: TrainingModel): (name: string, signal?: AbortSignal) => Promise<string> {
  const copies = new Map<string, number>()
  return async (name, signal) => {
    for (let copy = copies.get(name) ?? 1; ; copy++) {
      try {
        const path = await model.save(copy === 1 ? name : `${name}-${copy}`, copy === 1, signal)
        copies.set(name, copy)
        return path
      } catch (error) {
        const exists = error instanceof TinkerHttpError && error.details.status === 409
        if (!exists || isNumberTaken(error) || copy >= 1000) throw error
      }
    }
  }
}
