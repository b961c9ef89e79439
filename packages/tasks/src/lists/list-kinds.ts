/** Kinds of facts of which a text tells several about one subject: the ports a ship called at, the visitors of a building. */
import { z } from 'zod'
import { lazy, loadData } from '../data/load-data.ts'
import { createKind, factKindRow, statements } from '../facts/kind.ts'

/** A record of a kind of fact with `lures`: sentences about the subject with a value that does not count. */
export const listKindRow = factKindRow.safeExtend({ lures: statements.default([]) })

/** A table of such records, or of records with further fields. */
export const listKinds = <Row extends typeof listKindRow>(row: Row) =>
  z.record(z.string(), row).transform((rows) =>
    Object.entries(rows as Record<string, z.output<Row>>).map(([name, row]) => ({
      ...row,
      ...createKind(name, row),
    })),
  )

/** @param file of such records */
const loadListKinds = (file: string) => loadData(file, listKinds(listKindRow))
export type ListKind = ReturnType<typeof loadListKinds>[number]

export const collections = lazy(() => loadListKinds('lists/several-values.yaml'))
export const mentionRelations = lazy(() => loadListKinds('lists/all-mentions.yaml'))
