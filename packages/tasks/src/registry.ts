/** The tasks by name. */
import type { FactsInProseOptions } from './facts-in-prose.ts'
import type { NeedlesInProseOptions } from './needles-in-prose.ts'

export const tasks = {
  'facts-in-prose': async (options: FactsInProseOptions) =>
    (await import('./facts-in-prose.ts')).createFactsInProse(options),
  'needles-in-prose': async (options: NeedlesInProseOptions) =>
    (await import('./needles-in-prose.ts')).createNeedlesInProse(options),
} as const

export type TaskName = keyof typeof tasks
