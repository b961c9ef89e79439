/**
 * Relations between invented people, places, works and firms. A relation is a kind of fact, with its statements and
 * questions, and the noun phrases by which a longer question names its value ("the mayor of {subject}"). Read from a table.
 */
import { z } from 'zod'
import { lazy, loadData } from '../data/load-data.ts'
import { type FactKind, factKindRows, templates } from '../facts/kind.ts'
import { kindNamed } from '../facts/kinds.ts'

const entityClass = z.enum(['person', 'woman', 'town', 'firm', 'building'])
/** The class of a value that can be the subject of the next relation. */
export type EntityClass = z.output<typeof entityClass>

const relationRow = z.strictObject({
  /** Undefined: the value is a number, a date, a trade... and ends the chain. */
  to: entityClass.optional(),
  /** Noun phrases for the value, with the slot `{subject}`. */
  phrases: templates.default([]),
  /** Relations that this one must not follow, as they nearly answer it. */
  notAfter: z.array(z.string()).default([]),
})
export type Relation = z.output<typeof relationRow> & { readonly kind: FactKind }

const table = z.strictObject({ kinds: factKindRows, relations: z.record(z.string(), relationRow) })

export const relations = lazy((): readonly Relation[] => {
  const { kinds, relations } = loadData('multi-hop.yaml', table)
  return Object.entries(relations).map(([name, row]) => ({
    ...row,
    kind: kinds.find((kind) => kind.name === name) ?? kindNamed(name),
  }))
})

/** Whether a relation may follow another in a question. */
export const mayFollow = ({ kind, notAfter }: Relation, previous: Relation | undefined): boolean =>
  previous === undefined || (previous.kind.name !== kind.name && !notAfter.includes(previous.kind.name))
