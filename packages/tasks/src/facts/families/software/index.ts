import type { FactFamily } from '../../kind.ts'
import { kinds } from './kinds.ts'
import { questions } from './questions.ts'
import { statements } from './statements.ts'
import { wordings } from './wordings.ts'

export const software: FactFamily = { kinds, wordings, statements, questions }
