/** The tasks by name. */
import type { CorrectedFactOptions } from './corrected-fact.ts'
import type { JsonlTaskOptions } from './custom/jsonl-task.ts'
import type { FactsInProseOptions } from './facts-in-prose.ts'
import type { ManyFactsOptions } from './many-facts.ts'
import type { MultiHopOptions } from './multi-hop.ts'
import type { NearMissOptions } from './near-miss.ts'
import type { NeedlesInProseOptions } from './needles-in-prose.ts'
import type { SeveralValuesOptions } from './several-values.ts'

export const tasks = {
  'facts-in-prose': async (options: FactsInProseOptions) =>
    (await import('./facts-in-prose.ts')).createFactsInProse(options),
  'needles-in-prose': async (options: NeedlesInProseOptions) =>
    (await import('./needles-in-prose.ts')).createNeedlesInProse(options),
  'multi-hop': async (options: MultiHopOptions) => (await import('./multi-hop.ts')).createMultiHop(options),
  'many-facts': async (options: ManyFactsOptions) =>
    (await import('./many-facts.ts')).createManyFacts(options),
  'corrected-fact': async (options: CorrectedFactOptions) =>
    (await import('./corrected-fact.ts')).createCorrectedFact(options),
  'near-miss': async (options: NearMissOptions) => (await import('./near-miss.ts')).createNearMiss(options),
  'several-values': async (options: SeveralValuesOptions) =>
    (await import('./several-values.ts')).createSeveralValues(options),
  jsonl: async ({ path, ...options }: JsonlTaskOptions & { readonly path: string }) =>
    (await import('./custom/jsonl-task.ts')).jsonlTask(path, options),
  module: async ({ path, ...options }: { readonly path: string; readonly [option: string]: unknown }) =>
    (await import('./custom/task-module.ts')).taskModule(path, options),
} as const

export type TaskName = keyof typeof tasks
