/** A model as clients see it. */
import { ConfigurationError, type ConversationReader, type ReadingOptions } from '@memagent/core'

export interface ServedModel extends ConversationReader {
  /** What clients call it. */
  readonly id: string
  /** How runs are read with it; a request takes precedence. */
  readonly reading?: ModelReading | undefined
}

/** @throws ConfigurationError for models that cannot be served, or two with the same id */
export function checkModels(models: readonly ServedModel[]): void {
  const ids = new Set<string>()
  for (const [i, served] of models.entries()) {
    const { id, model, profile, workflow } = served
    const missing = Object.entries({ id, model, profile, workflow }).find(([, value]) => value === undefined)
    if (missing) throw wrongModel(`models[${i}] has no ${missing[0]}`)
    if (ids.has(id)) throw wrongModel(`Two models have the id ${id}`)
    ids.add(id)
  }
}

const wrongModel = (what: string) =>
  new ConfigurationError({
    code: 'server/models',
    message: `${what}.`,
    hint: 'A model is { id, model, profile, workflow }: profileFor and defaultWorkflowOf of @memagent/core give the last two.',
  })

export interface ModelReading extends Pick<ReadingOptions, 'sampling' | 'limits' | 'concurrency' | 'ahead'> {
  /** Reuses replies of all runs of the store. @default false */
  readonly usesCache?: boolean | undefined
}
