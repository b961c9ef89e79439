/** Every kind of fact, in a fixed order. */
import { defineKind, type FactKind } from '../kind.ts'
import { peopleKinds } from './people.ts'
import { placeKinds } from './places.ts'
import { shipKinds } from './ships.ts'

export const factKinds: readonly FactKind[] = [...peopleKinds, ...placeKinds, ...shipKinds].map(defineKind)
