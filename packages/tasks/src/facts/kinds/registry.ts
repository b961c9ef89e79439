/** Every kind of fact, in a fixed order. */
import { defineKind, type FactKind } from '../kind.ts'
import { businessKinds } from './business.ts'
import { cultureKinds } from './culture.ts'
import { needleKinds } from './needles.ts'
import { peopleKinds } from './people.ts'
import { placeKinds } from './places.ts'
import { shipKinds } from './ships.ts'
import { softwareKinds } from './software.ts'

export const factKinds: readonly FactKind[] = [
  ...peopleKinds,
  ...placeKinds,
  ...shipKinds,
  ...businessKinds,
  ...softwareKinds,
  ...cultureKinds,
  ...needleKinds,
].map(defineKind)
