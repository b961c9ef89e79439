/**
 * Asks a running Tinker server what it offers. Servers of one profile differ in how they were started (all weights or LoRA,
 * with or without the base model), and none reports it.
 */
import { resolveAddress } from '../tinker/credentials.ts'
import { TinkerHttpError, TinkerProtocolError, TinkerRequestError } from '../tinker/errors.ts'
import { SampleGate } from '../tinker/sample-gate.ts'
import { Sampler } from '../tinker/sampler.ts'
import { type SessionOptions, TinkerSession } from '../tinker/session.ts'
import { gradientNormOf, TrainingModel } from '../tinker/training-model.ts'

export interface ServerOffers {
  /** A LoRA rank that it trains; 0 trains all weights. */
  readonly loraRank: number
  /** Whether the base model can be sampled from, as the reference of a KL term. */
  readonly hasReference: boolean
  readonly reportsGradientNorm: boolean
  readonly wires: readonly ('json' | 'proto')[]
  /** What the server does not offer, with its reply. */
  readonly missing: readonly string[]
}

/** Address and key default to `TINKER_BASE_URL` and `TINKER_API_KEY`. */
export type ServerToAsk = Omit<SessionOptions, 'address'> & {
  readonly baseUrl?: string | undefined
  readonly apiKey?: string | undefined
}

const sequence = { promptTokens: [1, 2, 3], responseTokens: [4, 5] }
const noStep = { learningRate: 0, beta1: 0.9, beta2: 0.9, epsilon: 1e-8, weightDecay: 0, clipNorm: 1e6 }

/**
 * Creates throw-away models on the server, one at a time.
 * @throws ConfigurationError if it does not serve the model; TinkerError if it is unreachable, or trains in neither way
 */
export async function askForOffers(
  { baseUrl, apiKey, ...given }: ServerToAsk,
  baseModel: string,
): Promise<ServerOffers> {
  const address = resolveAddress({ baseUrl, apiKey }, process.env, given.profile.auth)
  const options = { ...given, address }
  const missing: string[] = []
  /** Undefined, with an entry in `missing`, if the server refuses. */
  const offered = async <T>(what: string, ask: () => Promise<T>): Promise<T | undefined> => {
    try {
      return await ask()
    } catch (error) {
      if (!isRefusal(error)) throw error
      missing.push(`${what}: ${(error as Error).message}`)
      return undefined
    }
  }
  const session = await TinkerSession.create(options)
  try {
    await session.checkModel(baseModel)
    const create = (rank: number) => TrainingModel.create(session, { baseModel, loraRank: rank, seed: 1 })
    const { tuning } = options.profile
    const mayEither = tuning.length > 1
    const withLora = mayEither ? await offered('LoRA', () => create(8)) : undefined
    const loraRank = withLora || (!mayEither && tuning.includes('lora')) ? 8 : 0
    const model = withLora ?? (await create(loraRank))
    const metrics = await (async () => {
      try {
        const logprobs = await model.forward([sequence])
        await model.addGradient({ sequences: [sequence], logprobs, gradients: [Float32Array.of(-1, -1)] })
        return await model.optimStep(noStep)
      } finally {
        await model.unload()
      }
    })()
    const reportsGradientNorm = gradientNormOf(metrics) !== undefined
    if (!reportsGradientNorm) missing.push('gradient norms: its optimizer steps report none')
    const gate = new SampleGate(session.transport.effects.now)
    const reference = await offered('a reference', async () =>
      new Sampler(session, await session.createBaseSampler(baseModel), gate).logprobs([sequence]),
    )
    const { wire } = options.profile
    const other = wire === 'json' ? 'proto' : 'json'
    const spoken = await offered(`the encoding ${other}`, () => speak(options, other, baseModel, loraRank))
    return {
      loraRank,
      hasReference: reference !== undefined,
      reportsGradientNorm,
      wires: spoken ? [wire, other] : [wire],
      missing,
    }
  } finally {
    session.close()
  }
}

async function speak(
  options: SessionOptions,
  wire: 'json' | 'proto',
  baseModel: string,
  loraRank: number,
): Promise<true> {
  const profile = { ...options.profile, wire }
  const session = await TinkerSession.create({ ...options, profile })
  try {
    const model = await TrainingModel.create(session, { baseModel, loraRank })
    try {
      await model.forward([sequence])
    } finally {
      await model.unload()
    }
    return true
  } finally {
    session.close()
  }
}

/** Whether the server never does this, as opposed to not now, or not for this key. */
function isRefusal(error: unknown): boolean {
  if (error instanceof TinkerProtocolError || error instanceof TinkerRequestError) return true
  const status = error instanceof TinkerHttpError ? Number(error.details.status) : 0
  return status >= 400 && status < 500 && ![401, 402, 403, 408, 429].includes(status)
}
