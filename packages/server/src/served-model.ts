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
  if (!Array.isArray(models) || models.length === 0) throw wrongModel('The option models lists no model')
  const ids = new Set<string>()
  for (const [i, served] of models.entries()) {
    const { id, model, profile, workflow } = Object(served) as Partial<ServedModel>
    const [wrong] = Object.entries({
      id: typeof id === 'string' && id !== '',
      model: typeof model?.generate === 'function',
      profile: typeof profile?.budget === 'object',
      workflow: typeof workflow?.read === 'function',
    }).filter(([, isRight]) => !isRight)
    if (wrong) {
      const has = (served as Partial<ServedModel> | null)?.[wrong[0] as keyof ServedModel] != null
      throw wrongModel(has ? `models[${i}].${wrong[0]} is none` : `models[${i}] has no ${wrong[0]}`)
    }
    if (ids.has(id!)) throw wrongModel(`Two models have the id ${id}`)
    ids.add(id!)
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
