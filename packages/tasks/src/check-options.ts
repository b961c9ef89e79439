/** Options may come from a configuration file: a misspelt one must not go unnoticed. */
import { TaskError } from '@memagent/core'

/** @throws TaskError that lists the known options */
export function checkOptions(task: string, options: object, known: readonly string[]): void {
  const unknown = Object.keys(options).filter((name) => !known.includes(name))
  if (unknown.length > 0) {
    throw new TaskError({
      code: 'task/unknown-option',
      message: `the task ${task} has no option ${unknown.join(', ')}`,
      hint: `Its options: ${known.toSorted().join(', ')}.`,
      details: { task, unknown },
    })
  }
}

/** @throws TaskError that lists the values an option may have */
export function checkOneOf(option: string, value: unknown, known: readonly string[]): void {
  if (typeof value !== 'string' || !known.includes(value)) {
    throw new TaskError({
      code: 'task/bad-option',
      message: `${option} cannot be ${JSON.stringify(value) ?? 'left undefined'}`,
      hint: `Known: ${known.join(', ')}.`,
    })
  }
}
