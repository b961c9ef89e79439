/** A policy on the embedded engine: one machine, no accelerator. The same seed and thread count give the same weights. */
import { join, resolve } from 'node:path'
import {
  EngineError,
  type LlamaConfig,
  parameterShapes,
  sharedCopy,
  TrainingSession,
  type Weights,
} from '@memagent/engine'
import { checkGradients } from './check-gradients.ts'
import { deleteTrainingState, loadTrainingState, saveTrainingState } from './embedded-state.ts'
import { packSequences } from './pack-sequences.ts'
import type {
  FrozenPolicy,
  OptimizerResult,
  OptimizerStep,
  Policy,
  SampledResponse,
  SampleRequest,
  TokenSequence,
} from './policy.ts'
import { type Sampler, Samplers } from './samplers.ts'
import { checkStateName } from './state-name.ts'

export interface EmbeddedPolicyOptions {
  /** @default 'embedded' */
  readonly name?: string | undefined
  readonly config: LlamaConfig
  /** The weights that training starts from, which stay the reference. Never changed. */
  readonly weights: Weights
  /** Folder for saved states. */
  readonly folder: string
  /** A result of `saveState`: the name of a state in `folder`, or the path of one elsewhere. */
  readonly restoreFrom?: string | undefined
  /** Temperature of the responses to learn from. @default 1 */
  readonly temperature?: number | undefined
  /** @default 2 */
  readonly threads?: number | undefined
  /** Tokens in one row of a batch; the longest conversation must fit. @default the model's positions */
  readonly rowTokens?: number | undefined
  /** Maximum tokens in one pass, padding included. @default 4096 */
  readonly batchTokens?: number | undefined
}

/** Maximum number of sequences generated at the same time. */
const maxBatch = 64

/** @throws EngineError for weights that do not fit; CheckpointError for a damaged state */
export async function createEmbeddedPolicy(options: EmbeddedPolicyOptions): Promise<Policy> {
  const { config, weights, temperature = 1, threads = 2 } = options
  const rowTokens = Math.ceil((options.rowTokens ?? config.maxPositions) / 64) * 64
  const rows = Math.max(1, Math.floor((options.batchTokens ?? 4096) / rowTokens))
  const packing = { rowTokens, rows }
  const restored = options.restoreFrom
    ? await loadTrainingState(resolve(options.folder, options.restoreFrom))
    : undefined
  const computing = { threads, temperature }
  const session = await TrainingSession.create(config, copyOf(restored?.weights ?? weights), computing)
  if (restored) session.loadOptimizerState(restored.optimizer)

  const run = async (
    on: TrainingSession,
    sequences: readonly TokenSequence[],
    gradients: readonly Float32Array[] | undefined,
    signal: AbortSignal | undefined,
    onDone?: (sequences: number) => void,
  ): Promise<Float32Array[]> => {
    const results = sequences.map(({ responseTokens }) => new Float32Array(responseTokens.length))
    for (const batch of packSequences(sequences, gradients, packing)) {
      signal?.throwIfAborted()
      const { logprobs } = gradients ? await on.forwardBackward(batch) : await on.forward(batch)
      for (const { sequence, from } of batch.places) {
        const result = results[sequence]!
        result.set(logprobs.subarray(from, from + result.length))
      }
      onDone?.(batch.places.length)
    }
    return results
  }
  let last: Promise<unknown> = Promise.resolve()
  /** Serializes whatever changes gradients or weights: a pass has several batches. */
  const inTurn = <Result>(work: () => Promise<Result>): Promise<Result> => {
    const result = last.then(work)
    last = result.catch(() => undefined)
    return result
  }
  const samplers = new Samplers(config, { threads, maxBatch })
  const open = new Set<FrozenPolicy>()
  const freeze = (frozen: Weights, onClose: () => void = () => undefined): FrozenPolicy => {
    let sampler: Promise<Sampler> | undefined
    let scorer: Promise<TrainingSession> | undefined
    let isClosed = false
    const checkOpen = () => {
      if (isClosed) throw new EngineError({ code: 'engine/released', message: 'The snapshot is closed.' })
    }
    const policy: FrozenPolicy = {
      lanes: threads,
      async sample(request, signal) {
        checkOpen()
        sampler ??= samplers.open(frozen)
        return sampleOne(await sampler, request, temperature, signal)
      },
      async logprobs(sequences, signal) {
        checkOpen()
        scorer ??= TrainingSession.create(config, frozen, computing)
        return run(await scorer, sequences, undefined, signal)
      },
      async close() {
        if (isClosed) return
        isClosed = true
        open.delete(policy)
        await (await sampler)?.close()
        await (await scorer)?.release()
        onClose()
      },
    }
    open.add(policy)
    return policy
  }
  /** Memory of closed snapshots, for reuse. Several threads share it. */
  const spare: Weights[] = []
  const snapshot = (): FrozenPolicy => {
    const { weights } = session
    const copy = threads > 1 ? sharedCopy(weights, spare.pop()) : copyOf(weights)
    return freeze(copy, () => {
      if (threads > 1) spare.push(copy)
    })
  }
  const reference = freeze(copyOf(weights))

  return {
    name: options.name ?? 'embedded',
    temperature,
    reference,
    forward: (sequences, signal) => run(session, sequences, undefined, signal),
    async forwardBackward(sequences, gradients, signal, onDone) {
      checkGradients(sequences, gradients)
      return inTurn(async () => {
        const before = new Map(session.gradients())
        try {
          return await run(session, sequences, gradients, signal, onDone)
        } catch (error) {
          // A retry would add the gradients of the first batches twice.
          session.restoreGradients(before)
          throw error
        }
      })
    },
    optimStep: (step: OptimizerStep): Promise<OptimizerResult> => inTurn(() => session.optimStep(step)),
    snapshot: async () => snapshot(),
    async saveState(name) {
      checkStateName(name)
      await saveTrainingState(
        join(options.folder, name),
        { weights: session.weights, optimizer: session.optimizerState() },
        parameterShapes(config),
      )
      // Not a path: the folder may be moved or copied before the state is restored.
      return name
    },
    async deleteState(name) {
      checkStateName(name)
      await deleteTrainingState(join(options.folder, name))
    },
    async close() {
      await last
      await session.release()
      await Promise.all([...open].map((policy) => policy.close()))
      await samplers.release()
    },
  }
}

async function sampleOne(
  sampler: Sampler,
  { lane, ...request }: SampleRequest,
  temperature: number,
  signal: AbortSignal | undefined,
): Promise<SampledResponse> {
  const isOwn = request.temperature === temperature && request.topP === 1
  const asked = { ...request, logprobs: isOwn ? ('sampled' as const) : false }
  const [result] = await sampler.generate([asked], { signal, lane })
  const { tokens, logprobs, finishReason } = result!
  return { tokens, logprobs: logprobs && Float32Array.from(logprobs), stopReason: finishReason }
}

const copyOf = (weights: Weights): Weights =>
  new Map([...weights].map(([name, values]) => [name, values.slice()]))
