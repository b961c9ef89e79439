/** Whether evaluation asks different questions than training: a score on trained questions says little. */
import { resolve } from 'node:path'
import { drawsOf, evaluationNotices, trainingNotices } from '../held-out-draws.ts'
import type { RlConfig } from './config.ts'

/** Options that select questions from files instead of generating them. */
const choices = ['path', 'folder', 'where', 'documents', 'questions']

/** A warning about a task that reads its questions from files; undefined when all is well. */
export function sameQuestionsNotice({
  name,
  options,
  evaluationOptions,
}: NonNullable<RlConfig['task']>): string | undefined {
  // A module may generate its questions; the evaluation's seed then gives others.
  const file = name === 'module' ? undefined : (options.path ?? options.folder)
  if (file === undefined) return undefined
  const evaluation = { ...options, ...evaluationOptions }
  const isSame = choices.every((choice) => placed(options[choice]) === placed(evaluation[choice]))
  if (!isSame) return undefined
  return `Evaluation uses questions from ${String(file)}, which are also trained on, so its scores measure memorization. Name other questions in task.evaluationOptions.`
}

/** Warnings about a task that draws in training what is kept for evaluation, or the other way round. */
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

const placed = (value: unknown): string =>
  typeof value === 'string' ? resolve(value) : JSON.stringify(value ?? null)
