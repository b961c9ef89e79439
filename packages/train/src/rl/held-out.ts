/** Whether evaluation asks different questions than training: a score on trained questions says little. */
import { resolve } from 'node:path'
import type { RlConfig } from './config.ts'

/** Options by which tasks choose among questions that are not made up: files, and parts of them. */
const choices = ['path', 'folder', 'where', 'documents', 'questions']

/** What to tell people of a task that reads its questions from files; undefined when all is well. */
export function sameQuestionsNotice({
  name,
  options,
  evaluationOptions,
}: NonNullable<RlConfig['task']>): string | undefined {
  // A module may make up its questions, others in evaluation for the evaluation's seed.
  const file = name === 'module' ? undefined : (options.path ?? options.folder)
  if (file === undefined) return undefined
  const evaluation = { ...options, ...evaluationOptions }
  const isSame = choices.every((choice) => placed(options[choice]) === placed(evaluation[choice]))
  if (!isSame) return undefined
  return `Evaluation asks the questions of ${String(file)}, which training learns from: its scores say how well they are remembered. Name other questions in task.evaluationOptions.`
}

const placed = (value: unknown): string =>
  typeof value === 'string' ? resolve(value) : JSON.stringify(value ?? null)
