/**
 * Evaluation of supervised training on prose, subjects and values unseen in training: the share of responses whose every
 * token is the model's first choice, so that greedy sampling would write them.
 */
import type { TrainingSession } from '@memagent/engine'
import type { SftConfig, SftStage } from './config.ts'
import { type BatchSource, drawBatch } from './draw-batch.ts'
import type { PackedBatch } from './pack-lessons.ts'

export interface CaseResult {
  readonly right: number
  readonly count: number
}

/** `trained/found`, `held-out/kept`, ... to counts. */
export type EvaluationResult = Readonly<Record<string, CaseResult>>

/** Counts, by case, the responses and hints whose every token was the model's first choice. @param correct one flag per target */
export function countRight(batch: PackedBatch, correct: Uint8Array): Record<string, CaseResult> {
  const results: Record<string, CaseResult> = {}
  for (const { from, to, name } of batch.responses) {
    const { right, count } = results[name] ?? { right: 0, count: 0 }
    const isRight = correct.subarray(from, to).every((flag) => flag === 1)
    results[name] = { right: right + Number(isRight), count: count + 1 }
  }
  return results
}

export async function evaluate(
  session: TrainingSession,
  source: Omit<BatchSource, 'split' | 'templates'>,
  config: SftConfig,
): Promise<EvaluationResult> {
  const { sections, sectionTokens } = config.evaluation
  const stage: SftStage = {
    steps: 1,
    sectionTokens,
    rowTokens: Math.ceil((2 * (sectionTokens + 96)) / 64) * 64,
    rows: 6,
    questions: 1,
    families: 4,
    decoys: 1,
    presentShare: 0.5,
    plainShare: 0.25,
    looseShare: 0,
    strangeShare: 0,
    strangeValueShare: 0,
    hintShare: 1,
    wordSaladShare: 0,
    skills: {},
    skillShare: 0,
    keptShare: 1,
  }
  const { skills } = config.stages.at(-1)!
  const skillStage: SftStage = { ...stage, rowTokens: rowOfSkills(config), rows: 2, skills, skillShare: 1 }
  const exams = Object.keys(skills).length > 0 ? [stage, skillStage] : [stage]
  const results: Record<string, { right: number; count: number }> = {}
  for (const [label, templates] of [
    ['trained', 'train'],
    ['held-out', 'held-out'],
  ] as const) {
    const known = source.skills && { ...source.skills, skills: heldOutSkills(config.skills, templates) }
    const asked = { ...source, skills: known, split: 'eval', templates } as const
    for (const exam of exams) {
      for (let step = 0; step * exam.rows < sections; step++) {
        const batch = await drawBatch(asked, exam, 1_000_003, step)
        const { correct } = await session.forward(batch)
        for (const [name, { right, count }] of Object.entries(countRight(batch, correct))) {
          const key = `${label}/${name}`
          const known = results[key] ?? { right: 0, count: 0 }
          results[key] = { right: known.right + right, count: known.count + count }
        }
      }
    }
  }
  return results
}

/** A row has room for two conversations of a full window. */
const rowOfSkills = ({ budget }: SftConfig) => 2 * Math.ceil(budget.window / 64) * 64

/** The skills with names, values and wordings unseen in training and no random words, if their tasks have such options. */
export function heldOutSkills(
  skills: SftConfig['skills'],
  templates: 'train' | 'held-out',
): SftConfig['skills'] {
  const asked = { split: 'eval', templates, wordNoise: 0, looseShare: 0 }
  const changed = Object.entries(skills).map(([name, { task, options }]) => {
    const changes = Object.entries(asked).filter(([option]) => option in options)
    return [name, { task, options: { ...options, ...Object.fromEntries(changes) } }]
  })
  return Object.fromEntries(changed)
}
