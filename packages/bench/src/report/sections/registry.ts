/** The sections of a report, in order. */
import type { Analysis } from '../analysis/analyse.ts'
import type { Block } from '../block.ts'
import { accuracy } from './accuracy.ts'
import { cost } from './cost.ts'
import { departures } from './departures.ts'
import { diagnosis } from './diagnosis.ts'
import { differences } from './differences.ts'
import { examples } from './examples.ts'
import { positions } from './positions.ts'
import { settings } from './settings.ts'
import { summary } from './summary.ts'
import { taskSections } from './tasks.ts'

const sections: readonly ((analysis: Analysis) => readonly Block[])[] = [
  summary,
  accuracy,
  differences,
  positions,
  cost,
  diagnosis,
  examples,
  taskSections,
  departures,
  settings,
]

export const blocksOf = (analysis: Analysis): Block[] => sections.flatMap((section) => section(analysis))
