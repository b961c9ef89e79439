/** Every kind of fact. What is drawn depends on their order: new families go to its end. */
import { defineKind, type FactFamily, type FactKind } from '../kind.ts'
import { buildings } from './buildings/index.ts'
import { dishes } from './dishes/index.ts'
import { events } from './events/index.ts'
import { firms } from './firms/index.ts'
import { goods } from './goods/index.ts'
import { needles } from './needles.ts'
import { people } from './people/index.ts'
import { projects } from './projects/index.ts'
import { ships } from './ships/index.ts'
import { software } from './software/index.ts'
import { towns } from './towns/index.ts'
import { visits } from './visits/index.ts'
import { works } from './works/index.ts'

export const families: readonly FactFamily[] = [
  people,
  buildings,
  towns,
  visits,
  ships,
  firms,
  projects,
  goods,
  software,
  events,
  works,
  dishes,
  needles,
]

export const factKinds: readonly FactKind[] = families.flatMap(({ kinds, wordings, statements, questions }) =>
  kinds.map((row) =>
    defineKind(row, wordings[row.name], {
      statements: statements[row.name] ?? [],
      questions: questions[row.name] ?? [],
    }),
  ),
)
