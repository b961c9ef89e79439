/** What can change, and the conditions for it: `data/changing-state.yaml`. */
import { z } from 'zod'
import { lazy, loadData } from '../data/load-data.ts'
import { templates } from '../facts/kind.ts'
import { subjectClasses } from '../facts/name-forms.ts'
import { listKindRow, listKinds } from '../lists/list-kinds.ts'

const condition = z.strictObject({
  party: z.enum(subjectClasses),
  clauses: templates,
  holds: templates,
  fails: templates,
})
export type Condition = z.output<typeof condition>

const table = z.strictObject({
  conditionals: templates,
  conditions: z.record(z.string(), condition).transform((rows) => Object.values(rows)),
  kinds: listKinds(listKindRow.safeExtend({ effects: templates })),
})
export type StateKind = z.output<typeof table>['kinds'][number]

export const states = lazy(() => loadData('changing-state.yaml', table))

/** Fills `If {condition}, {effect}.`; the slots of clause and effect remain. */
export const announce = (frame: string, clause: string, effect: string): string =>
  frame
    .replace('{condition}', clause)
    .replace('{effect}', effect)
    .replace(
      '{Effect}',
      effect.replace(/\w/, (letter) => letter.toUpperCase()),
    )
