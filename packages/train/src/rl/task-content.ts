/**
 * Identity of what a run reads besides its configuration and its model: files of questions and documents, prose, and modules. A
 * resumed run reports a change.
 */
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { hashOfImports } from '@memagent/core/node'
import {
  contentOfTask,
  createFolderProse,
  installedProse,
  type ProseSource,
  takesProse,
} from '@memagent/tasks'
import type { RlConfig } from './config.ts'
import { isModulePath } from './step-rewards/registry.ts'

export interface TaskContent {
  readonly content: string
  /** The same for evaluation only. */
  readonly evaluationContent: string
}

type TaskSettings = NonNullable<RlConfig['task']>

/** Training's options and, if there are others, evaluation's. Files may be large: the same ones are hashed once. */
function optionSets({ options, evaluationOptions }: TaskSettings) {
  const own = Object.keys(evaluationOptions).length === 0 ? [] : [{ ...options, ...evaluationOptions }]
  return [options, ...own]
}

/** The prose that the documents are made from; undefined for a task without. @throws DocumentError if it cannot be read */
export async function proseOf(task: TaskSettings): Promise<ProseSource | undefined> {
  const takes = await Promise.all(optionSets(task).map((options) => takesProse(task.name, options)))
  if (!takes.includes(true)) return undefined
  return task.prose ? createFolderProse(task.prose) : installedProse()
}

/** @param steps a reward of steps: a name, or the path of the caller's own */
export async function contentOf(
  task: TaskSettings,
  prose: ProseSource | undefined,
  steps: string | undefined,
): Promise<TaskContent> {
  const sets = optionSets(task)
  const contents = await Promise.all(sets.map((options) => contentOfTask(task.name, options)))
  const isOwnReward = steps !== undefined && isModulePath(steps)
  const modules = [
    isOwnReward ? hashOf(await readFile(steps, 'utf8')) : undefined,
    isOwnReward ? await hashOfImports(steps) : undefined,
  ].filter((hash) => hash !== undefined)
  const fingerprint = prose?.fingerprint ?? null
  return {
    content: hashOf(JSON.stringify([fingerprint, ...new Set(contents), ...modules])),
    evaluationContent: JSON.stringify([fingerprint, contents.at(-1)]),
  }
}

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex')
