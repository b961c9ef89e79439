/** The kinds of facts. */
import { TaskError } from '@memagent/core'
import { lazy, loadData } from '../data/load-data.ts'
import { type FactKind, factKindRows } from './kind.ts'

/** Files of `data/facts`. Draws depend on their order, so append new ones. */
const files =
  'people buildings towns visits ships firms projects goods software events works dishes needles'.split(' ')

/** Every kind of fact; loaded on first use. */
export const factKinds: () => readonly FactKind[] = lazy(() =>
  files.flatMap((file) => loadData(`facts/${file}.yaml`, factKindRows)),
)

const byName = lazy(() => new Map(factKinds().map((kind) => [kind.name, kind])))

/** The kind of this name. @throws TaskError that lists the known ones */
export function kindNamed(name: string): FactKind {
  const kind = byName().get(name)
  if (kind === undefined) {
    throw new TaskError({
      code: 'task/unknown-kind',
      message: `unknown kind of fact: ${name}`,
      hint: `Known kinds: ${[...byName().keys()].join(', ')}.`,
    })
  }
  return kind
}
