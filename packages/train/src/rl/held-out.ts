/** Checks that evaluation asks other questions than training: a score on trained questions says little. */
import { drawsOf, evaluationNotices, trainingNotices } from '../held-out-draws.ts'
import type { RlConfig } from './config.ts'
import { keepsApart } from './question-files.ts'

/** A warning about a task that evaluates on the same files as it trains on; undefined if all is well. */
export function sameQuestionsNotice({
  name,
  options,
  evaluationOptions,
}: NonNullable<RlConfig['task']>): string | undefined {
  // A module may generate its questions, so another evaluation seed gives others.
  const file = name === 'module' ? undefined : (options.path ?? options.folder)
  if (file === undefined || keepsApart(options, { ...options, ...evaluationOptions })) return undefined
  return `Evaluation uses questions from ${String(file)}, which may also be trained on, so its scores may measure memorization. Name other questions in task.evaluationOptions.`
}

/** Warnings about a task that trains on what is kept for evaluation, or the other way round. */
export async function heldOutNotices({
  name,
  options,
  evaluationOptions,
}: NonNullable<RlConfig['task']>): Promise<string[]> {
  const training = await drawsOf(name, name, options)
  const evaluation = await drawsOf(name, name, { ...options, ...evaluationOptions })
  const shared = name === 'mixed' ? '.shared' : ''
  return [
    ...trainingNotices(training, `task.options${shared}`),
    ...evaluationNotices(training, evaluation, `Set split: eval in task.evaluationOptions${shared}.`),
  ]
}

/** A warning about an evaluation that draws the same questions as training, from the same seed. */
export async function sameSeedNotices({
  seed,
  evaluation,
  task,
}: Pick<RlConfig, 'seed' | 'evaluation' | 'task'>): Promise<string[]> {
  if (seed !== evaluation.seed || (task && (await drawsOthers(task)))) return []
  return [
    `Evaluation asks questions that are trained on, so its scores measure memorization: evaluation.seed is ${seed}, as seed. Set another.`,
  ]
}

/** Whether evaluation draws other names, or from other files. For a module, whether its options differ. */
async function drawsOthers({
  name,
  options,
  evaluationOptions,
}: NonNullable<RlConfig['task']>): Promise<boolean> {
  const evaluated = { ...options, ...evaluationOptions }
  if (name === 'module') return JSON.stringify(evaluated) !== JSON.stringify(options)
  const trained = (await drawsOf(name, name, options)).map(({ split }) => split)
  const draws = await drawsOf(name, name, evaluated)
  const isOtherSplit = draws.every(({ split }) => split !== undefined && !trained.includes(split))
  return isOtherSplit || keepsApart(options, evaluated)
}
