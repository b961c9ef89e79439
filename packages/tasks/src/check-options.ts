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

/** @throws TaskError unless every one is a whole number of at least `least` */
export function checkCounts(
  option: string,
  counts: number | readonly number[],
  least: number,
  most = Number.MAX_SAFE_INTEGER,
): readonly number[] {
  const list = typeof counts === 'number' ? [counts] : counts
  const wrong = list.find((count) => !Number.isSafeInteger(count) || count < least || count > most)
  if (list.length === 0 || wrong !== undefined) {
    const range = most === Number.MAX_SAFE_INTEGER ? `of at least ${least}` : `from ${least} to ${most}`
    throw new TaskError({
      code: 'task/bad-count',
      message: `${option} takes whole numbers ${range}, got ${list.length === 0 ? 'an empty list' : wrong}`,
    })
  }
  return list
}

/** @throws TaskError unless 0 <= share <= 1 */
export function checkShare(share: number): void {
  if (!(share >= 0 && share <= 1)) {
    throw new TaskError({ code: 'task/bad-share', message: `a share lies between 0 and 1, got ${share}` })
  }
}
