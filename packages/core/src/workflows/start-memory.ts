/** A memory that a reading begins with may be longer than any that the reading writes. */
import type { ReadingContext } from './workflow.ts'

export function warnOfLongStart(step: number, { emit }: Pick<ReadingContext, 'emit'>): void {
  const message =
    'The memory to begin with is over its budget; what does not fit is left out. A larger memory budget avoids this.'
  emit({ type: 'warning', step, code: 'memory-full', message })
}
