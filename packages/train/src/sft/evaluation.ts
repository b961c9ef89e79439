/**
 * Evaluation of supervised training on prose, subjects and values that no training step saw: the share of responses
 * whose every token is the model's first choice, which is what greedy sampling would have written.
 */
import type { TrainingSession } from '@memagent/engine'
import type { SftConfig, SftStage } from './config.ts'
import { type BatchSource, drawBatch } from './draw-batch.ts'

export interface CaseResult {
  readonly right: number
  readonly count: number
}

/** `trained/found`, `held-out/kept`, ... to counts. */
export type EvaluationResult = Readonly<Record<string, CaseResult>>

export async function evaluate(
  session: TrainingSession,
  source: Omit<BatchSource, 'split' | 'templates'>,
  config: SftConfig,
): Promise<EvaluationResult> {
  const { sections, sectionTokens } = config.evaluation
  const stage: SftStage = {
    steps: 1,
    sectionTokens,
    rowTokens: Math.ceil((sectionTokens + 8 * 56) / 64) * 64,
    rows: 4,
    questions: 8,
    families: 4,
    presentShare: 0.5,
    plainShare: 0.25,
    looseShare: 0,
    wordSaladShare: 0,
    copies: 0,
  }
  const results: Record<string, { right: number; count: number }> = {}
  for (const [label, templates] of [
    ['trained', 'train'],
    ['held-out', 'held-out'],
  ] as const) {
    for (let step = 0; step * stage.rows < sections; step++) {
      const batch = drawBatch({ ...source, split: 'eval', templates }, stage, 1_000_003, step)
      const { correct } = await session.forward(batch)
      for (const { from, to, name } of batch.responses) {
        const key = `${label}/${name}`
        const { right, count } = results[key] ?? { right: 0, count: 0 }
        const isRight = correct.subarray(from, to).every((flag) => flag === 1)
        results[key] = { right: right + Number(isRight), count: count + 1 }
      }
    }
  }
  return results
}
