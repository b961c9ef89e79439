/** Evaluation during training: the same questions every time, at several lengths. */
import { containsReference, type Task } from '@memagent/tasks'
import type { FrozenPolicy } from '../policy/policy.ts'
import { mean } from './advantages.ts'
import type { Rollout } from './rollout.ts'
import { type Reading, rollOutAll, seedOf } from './rollout-batch.ts'

export interface EvaluationOptions extends Reading {
  readonly policy: FrozenPolicy
  readonly task: Task
  readonly seed: number
  readonly samples: number
  readonly lengths: readonly number[]
  readonly temperature: number
  /** Documents read at the same time. @default 64 */
  readonly parallel?: number | undefined
  readonly signal?: AbortSignal | undefined
}

export interface EvaluationAtLength {
  readonly lengthTokens: number
  readonly samples: number
  /** Means of the task's metrics. */
  readonly metrics: Readonly<Record<string, number>>
  /** Share of the samples with an answer whose last memory holds it. */
  readonly inMemory: number
  readonly keptMemories: number
  readonly updates: number
  /** [samples] strict scores, so that two evaluations can be paired. */
  readonly scores: readonly number[]
}

/** @throws what reading throws */
export async function evaluatePolicy(options: EvaluationOptions): Promise<EvaluationAtLength[]> {
  const { task, seed, tokens, parallel = 64 } = options
  const countTokens = (text: string) => tokens.tokenizer.count(text)
  const results: EvaluationAtLength[] = []
  for (const lengthTokens of options.lengths) {
    const indices = Array.from({ length: options.samples }, (_, i) => i)
    const samples = await Promise.all(
      indices.map((index) => task.sample({ index, seed, lengthTokens, countTokens })),
    )
    const rollouts: Rollout[] = []
    for (let at = 0; at < samples.length; at += parallel) {
      const jobs = samples
        .slice(at, at + parallel)
        .map((sample, i) => ({ sample, seed: seedOf('evaluation', seed, at + i) }))
      rollouts.push(...(await rollOutAll(jobs, { ...options, topP: 1 })))
    }
    const names = Object.keys(rollouts[0]?.metrics ?? {})
    const answerable = rollouts.flatMap(({ memories }, i) => {
      const { references, match } = samples[i]!
      if (references.length === 0) return []
      const memory = memories.at(-1) ?? ''
      const held = references.filter((reference) => containsReference(memory, reference)).length
      return [match === 'all' ? held / references.length : Number(held > 0)]
    })
    results.push({
      lengthTokens,
      samples: samples.length,
      metrics: Object.fromEntries(
        names.map((name) => [name, mean(rollouts.map(({ metrics }) => metrics[name] ?? 0))]),
      ),
      inMemory: mean(answerable),
      keptMemories: rollouts.reduce((sum, { keptMemories }) => sum + keptMemories, 0),
      updates: rollouts.reduce((sum, { memories }) => sum + memories.length, 0),
      scores: rollouts.map(({ metrics }) => metrics.strict ?? 0),
    })
  }
  return results
}
