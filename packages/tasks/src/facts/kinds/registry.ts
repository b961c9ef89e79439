/** Every kind of fact, in a fixed order. */
import { defineKind, type FactKind, type Templates, type Wordings } from '../kind.ts'
import { businessWordings } from '../wordings/business.ts'
import { cultureWordings } from '../wordings/culture.ts'
import { peopleWordings } from '../wordings/people.ts'
import { placeWordings } from '../wordings/places.ts'
import { businessQuestions } from '../wordings/questions/business.ts'
import { cultureQuestions } from '../wordings/questions/culture.ts'
import { peopleQuestions } from '../wordings/questions/people.ts'
import { placeQuestions } from '../wordings/questions/places.ts'
import { shipQuestions } from '../wordings/questions/ships.ts'
import { softwareQuestions } from '../wordings/questions/software.ts'
import { shipWordings } from '../wordings/ships.ts'
import { softwareWordings } from '../wordings/software.ts'
import { businessStatements } from '../wordings/statements/business.ts'
import { cultureStatements } from '../wordings/statements/culture.ts'
import { peopleStatements } from '../wordings/statements/people.ts'
import { placeStatements } from '../wordings/statements/places.ts'
import { shipStatements } from '../wordings/statements/ships.ts'
import { softwareStatements } from '../wordings/statements/software.ts'
import { businessKinds } from './business.ts'
import { cultureKinds } from './culture.ts'
import { needleKinds } from './needles.ts'
import { peopleKinds } from './people.ts'
import { placeKinds } from './places.ts'
import { shipKinds } from './ships.ts'
import { softwareKinds } from './software.ts'

/** Written after the rows, to teach more than one phrase for a relation. */
const wordings: Wordings = {
  ...peopleWordings,
  ...placeWordings,
  ...shipWordings,
  ...businessWordings,
  ...softwareWordings,
  ...cultureWordings,
}
/** Later still, and in breadth: every ordinary way to say and to ask it. One in six was held out by lot. */
const moreStatements: Templates = {
  ...peopleStatements,
  ...placeStatements,
  ...shipStatements,
  ...businessStatements,
  ...softwareStatements,
  ...cultureStatements,
}
const moreQuestions: Templates = {
  ...peopleQuestions,
  ...placeQuestions,
  ...shipQuestions,
  ...businessQuestions,
  ...softwareQuestions,
  ...cultureQuestions,
}

export const factKinds: readonly FactKind[] = [
  ...peopleKinds,
  ...placeKinds,
  ...shipKinds,
  ...businessKinds,
  ...softwareKinds,
  ...cultureKinds,
  ...needleKinds,
].map((row) =>
  defineKind(row, wordings[row.name], {
    statements: moreStatements[row.name] ?? [],
    questions: moreQuestions[row.name] ?? [],
  }),
)
