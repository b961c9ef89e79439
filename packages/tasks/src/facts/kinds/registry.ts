/** Every kind of fact, in a fixed order. */
import { defineKind, type FactKind, type Wordings } from '../kind.ts'
import { businessWordings } from '../wordings/business.ts'
import { cultureWordings } from '../wordings/culture.ts'
import { peopleWordings } from '../wordings/people.ts'
import { placeWordings } from '../wordings/places.ts'
import { shipWordings } from '../wordings/ships.ts'
import { softwareWordings } from '../wordings/software.ts'
import { businessKinds } from './business.ts'
import { cultureKinds } from './culture.ts'
import { needleKinds } from './needles.ts'
import { peopleKinds } from './people.ts'
import { placeKinds } from './places.ts'
import { shipKinds } from './ships.ts'
import { softwareKinds } from './software.ts'

/** Written after the rows, to teach more than one phrase for a relation. */
export const furtherWordings: Wordings = {
  ...peopleWordings,
  ...placeWordings,
  ...shipWordings,
  ...businessWordings,
  ...softwareWordings,
  ...cultureWordings,
}

export const factKinds: readonly FactKind[] = [
  ...peopleKinds,
  ...placeKinds,
  ...shipKinds,
  ...businessKinds,
  ...softwareKinds,
  ...cultureKinds,
  ...needleKinds,
].map((row) => defineKind(row, furtherWordings[row.name]))
