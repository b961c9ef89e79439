/** Checks the parts of a run that lists show: a row may be damaged, and an exported run may come from anywhere. */
export type Fields = Readonly<Record<string, unknown>>

export const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const isCount = (value: unknown) => Number.isSafeInteger(value) && (value as number) >= 0

export const isText = (value: unknown) => typeof value === 'string'

/** A `RunDescription`, whatever its settings are. */
export const isDescription = ({ document, model, workflow, question, questions = [] }: Fields): boolean =>
  [document, model, workflow].every(isText) &&
  (question === undefined || isText(question)) &&
  Array.isArray(questions) &&
  questions.every(isText)

/** A `RunFailure`. */
export const isFailure = (value: unknown): value is { code: string; message: string; hint?: string } =>
  isObject(value) &&
  [value.code, value.message].every(isText) &&
  (value.hint === undefined || isText(value.hint))
