/** Evaluation during training: the same questions every time, at several lengths. */
import type { Sampling } from '@memagent/core'
import { canBeNoted, containsReference, isOfNotes, type Sample, type Task } from '@memagent/tasks'
import type { FrozenPolicy } from '../policy/policy.ts'
import { mean } from './advantages.ts'
import { meanMetrics } from './mean-metrics.ts'
import { nothingReadable, PassedOver, passOver } from './pass-over.ts'
import type { OnProgress } from './progress.ts'
import { type Reading, rollOutAll, seedOf } from './readings.ts'
import { earnedReward, type Reward } from './rewards.ts'
import type { Rollout } from './rollout.ts'
import { requireLength } from './task-lengths.ts'

export interface EvaluationOptions extends Reading {
  readonly policy: FrozenPolicy
  readonly task: Task
  readonly seed: number
  readonly samples: number
  readonly lengths: readonly number[]
  readonly sampling: Omit<Sampling, 'seed'>
  /** Gives the score. */
  readonly reward: Reward
  /** Documents read at the same time. @default 64 */
  readonly parallel?: number | undefined
  /** Called with the finished share of all readings, weighted by document length. */
  readonly onProgress?: OnProgress | undefined
  readonly signal?: AbortSignal | undefined
}

export interface EvaluationAtLength {
  readonly lengthTokens: number
  /** Whether the documents have lengths of their own, and `lengthTokens` is only a name. @default false */
  readonly keepsLength?: boolean | undefined
  /** Number of samples that were read. */
  readonly samples: number
  /** Indices, from 0, of the samples that cannot be read. The same every time; in no mean and not in `scores`. */
  readonly passedOver: readonly number[]
  /** Means of the task's metrics over the readings that have them, for answers as a person would read them. */
  readonly metrics: Readonly<Record<string, number>>
  /** Mean of `scores`. As in training, a metric gives 0 without a closed box, for a kept memory or a malformed response. */
  readonly reward: number
  /** Number of final responses that do not end in a closed box. */
  readonly withoutBox: number
  /** Share of the answer found in the last memory, averaged over samples whose answer can be noted; undefined without any. */
  readonly inMemory: number | undefined
  readonly keptMemories: number
  readonly updates: number
  /** [samples] Reward of each reading, so that two evaluations can be paired. */
  readonly scores: readonly number[]
}

/**
 * Reads the same `samples` samples of the task at every length.
 * @throws ConfigurationError for a metric that the task lacks, or if no sample of a length can be read; TaskError for a document
 *   far shorter than its length; what reading throws
 */
export async function evaluatePolicy(options: EvaluationOptions): Promise<EvaluationAtLength[]> {
  const { task, seed, tokens, parallel = 64 } = options
  const countTokens = (text: string) => tokens.tokenizer.count(text)
  const results: EvaluationAtLength[] = []
  const total = options.samples * options.lengths.length
  const totalTokens = options.samples * options.lengths.reduce((sum, length) => sum + length, 0)
  let [ended, endedTokens] = [0, 0]
  for (const lengthTokens of options.lengths) {
    const asked: (EvaluatedReading | PassedOver)[] = []
    for (let at = 0; at < options.samples; at += parallel) {
      const indices = Array.from({ length: Math.min(parallel, options.samples - at) }, (_, i) => at + i)
      const samples = await Promise.all(
        indices.map((index) =>
          task
            .sample({ index, seed, lengthTokens, countTokens })
            .then((sample) => requireLength(sample, task, lengthTokens))
            .catch(passOver),
        ),
      )
      const jobs = samples.flatMap((sample, i) =>
        sample instanceof PassedOver
          ? []
          : [{ sample, sampling: { ...options.sampling, seed: seedOf('evaluation', seed, indices[i]!) } }],
      )
      const onProgress: OnProgress = ({ done, share }) =>
        options.onProgress?.({
          done: ended + done,
          total,
          share: (endedTokens + share * jobs.length * lengthTokens) / totalTokens,
        })
      const read = await rollOutAll<EvaluatedReading | PassedOver>(
        jobs,
        { ...options, onProgress },
        (rollout, { sample }) => evaluated(rollout, sample, options.reward),
        passOver,
      )
      asked.push(...samples.map((sample) => (sample instanceof PassedOver ? sample : read.shift()!)))
      ended += indices.length
      endedTokens += indices.length * lengthTokens
    }
    const readings = asked.flatMap((one) => (one instanceof PassedOver ? [] : [one]))
    if (readings.length === 0) {
      const reasons = asked.flatMap((one) => (one instanceof PassedOver ? [one.reason] : []))
      throw nothingReadable(task.name, [lengthTokens], 'evaluation.lengths', reasons)
    }
    results.push({
      lengthTokens,
      keepsLength: task.keepsLength || undefined,
      samples: readings.length,
      passedOver: asked.flatMap((one, index) => (one instanceof PassedOver ? [index] : [])),
      metrics: meanMetrics(readings.map(({ metrics }) => metrics)),
      reward: mean(readings.map(({ score }) => score)),
      withoutBox: readings.filter(({ isBoxed }) => !isBoxed).length,
      inMemory: meanOfKnown(readings.map(({ inMemory }) => inMemory)),
      keptMemories: readings.reduce((sum, { keptMemories }) => sum + keptMemories, 0),
      updates: readings.reduce((sum, { updates }) => sum + updates, 0),
      scores: readings.map(({ score }) => score),
    })
  }
  return results
}

function meanOfKnown(values: readonly (number | undefined)[]): number | undefined {
  const known = values.filter((value) => value !== undefined)
  return known.length === 0 ? undefined : mean(known)
}

/** The part of a reading to keep. Not its tokens: an evaluation has many millions. */
interface EvaluatedReading {
  readonly metrics: Readonly<Record<string, number>>
  readonly score: number
  readonly isBoxed: boolean
  /** Undefined if the document does not answer, or notes cannot hold the answer. */
  readonly inMemory: number | undefined
  readonly keptMemories: number
  readonly updates: number
}

function evaluated(rollout: Rollout, sample: Sample, reward: Reward): EvaluatedReading {
  const { match } = sample
  const references = sample.references.filter((reference) => isOfNotes(sample.id, reference))
  const { metrics, isBoxed, memories, keptMemories } = rollout
  const memory = memories.at(-1) ?? ''
  const held = references.filter((reference) => containsReference(memory, reference)).length
  const share = match === 'all' ? held / references.length : Number(held > 0)
  return {
    metrics,
    score: earnedReward(reward, rollout, sample),
    isBoxed,
    inMemory: references.length === 0 || !canBeNoted(sample.id) ? undefined : share,
    keptMemories,
    updates: memories.length,
  }
}
