/** Tasks by name: `await tasks['multi-hop'](options)` creates one, `tasks['multi-hop'].definition()` returns its definition. */
import { ConfigurationError } from '@memagent/core'
import type { TaskDefinition } from './define-task.ts'
import { type RulerTaskName, rulerConfigurations } from './ruler/configurations.ts'
import type { Task } from './task.ts'

/** Loaded on first use. */
const task = <Definition extends TaskDefinition>(definition: () => Promise<Definition>) =>
  Object.assign(
    async (options: Parameters<Definition['create']>[0]): Promise<Task> =>
      (await definition()).create(options),
    { definition },
  )

const ruler = (name: RulerTaskName) =>
  task(async () => (await import('./ruler/ruler-task.ts')).rulerTask(name))

/** Tasks that plant statements in prose. */
const planting = {
  'facts-in-prose': task(async () => (await import('./facts-in-prose.ts')).factsInProse),
  'needles-in-prose': task(async () => (await import('./needles-in-prose.ts')).needlesInProse),
  'multi-hop': task(async () => (await import('./multi-hop.ts')).multiHop),
  'many-facts': task(async () => (await import('./many-facts.ts')).manyFacts),
  'corrected-fact': task(async () => (await import('./corrected-fact.ts')).correctedFact),
  'near-miss': task(async () => (await import('./near-miss.ts')).nearMiss),
  'several-values': task(async () => (await import('./several-values.ts')).severalValues),
  'all-mentions': task(async () => (await import('./all-mentions.ts')).allMentions),
  tally: task(async () => (await import('./tally.ts')).tally),
  'changing-state': task(async () => (await import('./changing-state.ts')).changingState),
  'order-of-telling': task(async () => (await import('./order-of-telling.ts')).orderOfTelling),
  aliases: task(async () => (await import('./aliases.ts')).aliases),
  'never-mentioned': task(async () => (await import('./never-mentioned.ts')).neverMentioned),
  'other-words': task(async () => (await import('./other-words.ts')).otherWords),
  ...(Object.fromEntries(
    Object.keys(rulerConfigurations).map((name) => [name, ruler(name as RulerTaskName)]),
  ) as Record<RulerTaskName, ReturnType<typeof ruler>>),
} as const

export const tasks = {
  ...planting,
  mixed: task(async () => (await import('./mixed.ts')).mixedOf(planting)),
  'ruler-hqa': task(async () => (await import('./ruler-hqa.ts')).rulerHqa),
  longbench: task(async () => (await import('./published/longbench.ts')).longBench),
  'longbench-v2': task(async () => (await import('./published/longbench-v2.ts')).longBenchV2),
  narrativeqa: task(async () => (await import('./published/narrativeqa.ts')).narrativeQa),
  babilong: task(async () => (await import('./published/babilong.ts')).babilong),
  mrcr: task(async () => (await import('./published/mrcr.ts')).mrcr),
  'memagent-eval': task(async () => (await import('./published/memagent-eval.ts')).memAgentEval),
  'real-documents': task(async () => (await import('./real-documents.ts')).realDocuments),
  jsonl: task(async () => (await import('./custom/jsonl-task.ts')).jsonlTask),
  module: task(async () => (await import('./custom/task-module.ts')).moduleTask),
} as const

export type TaskName = keyof typeof tasks

/**
 * Creates the task of a name from a file; its options come from there too, and the task checks them itself.
 * @throws ConfigurationError for an unknown name, listing the known ones
 */
export function taskNamed(name: string): (options: object) => Promise<Task> {
  if (Object.hasOwn(tasks, name)) return tasks[name as TaskName] as (options: object) => Promise<Task>
  const known = Object.keys(tasks)
  throw new ConfigurationError({
    code: 'task/unknown',
    message: `There is no task named ${name}.`,
    hint: `Known: ${known.join(', ')}.`,
    details: { name, known },
  })
}

export type TaskOptions<Name extends TaskName> = Parameters<(typeof tasks)[Name]>[0]
