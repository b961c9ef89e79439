/** The rows of the list of steps. */
import type { OpenPage } from '../src/packed-page.ts'
import type { StepMatch } from '../src/search.ts'

export type RowKind = StepMatch['kind'] | 'changed' | 'emptied' | 'kept'
export type StepRow = Omit<StepMatch, 'kind'> & { readonly kind: RowKind }

/** Labels before the excerpt. */
export const matchKinds: Readonly<Record<RowKind, string>> = {
  came: 'memory, from here on:',
  went: 'memory, no longer:',
  passage: 'passage:',
  warning: 'warning:',
  place: 'place:',
  changed: '',
  emptied: 'only removed',
  kept: 'kept, the reply was unusable',
}

/** Characters. */
const longest = 160

/** Steps in which the memory changed, or something went wrong, ascending. */
export const plainSteps = ({ timeline }: OpenPage): readonly number[] =>
  timeline.troubled.length === 0
    ? [...timeline.changes]
    : [...new Set([...timeline.changes, ...timeline.troubled])].sort((a, b) => a - b)

/** The row of such a step. */
export function plainRow({ timeline, warnings: messages }: OpenPage, step: number): StepRow {
  const { change, warnings } = timeline.steps.at(step)!
  const row = (kind: RowKind, text = ''): StepRow => ({
    step,
    kind,
    excerpt: text.slice(0, longest),
    from: 0,
    to: 0,
  })
  if (change) {
    const added = change.find((part) => typeof part === 'string' && part.trim() !== '')
    return typeof added === 'string' ? row('changed', added.trim()) : row('emptied')
  }
  return warnings ? row('warning', messages[warnings[0]!]) : row('kept')
}
