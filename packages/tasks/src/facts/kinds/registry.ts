/** Every kind of fact, in a fixed order. */
import { defineKind, type FactKind } from '../kind.ts'
import { peopleKinds } from './people.ts'

export const factKinds: readonly FactKind[] = [...peopleKinds].map(defineKind)
