/** The rows of the list of steps. */
import type { RunPage } from '../src/run-page.ts'
import type { StepMatch } from '../src/search.ts'

export type RowKind = StepMatch['kind'] | 'changed' | 'emptied' | 'kept'
export type StepRow = Omit<StepMatch, 'kind'> & { readonly kind: RowKind }

/** Before the excerpt. */
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

/** Steps in which the memory changed, or something went wrong. */
export function plainRows({ steps, warnings: messages }: RunPage): readonly StepRow[] {
  return steps.flatMap(({ change, warnings, isKept }, step): StepRow[] => {
    const row = (kind: RowKind, text = '') => [
      { step, kind, excerpt: text.slice(0, longest), from: 0, to: 0 },
    ]
    if (change) {
      const added = change.find((part) => typeof part === 'string' && part.trim() !== '')
      return typeof added === 'string' ? row('changed', added.trim()) : row('emptied')
    }
    if (warnings) return row('warning', messages[warnings[0]!])
    return isKept ? row('kept') : []
  })
}
