/**
 * Which warnings touch the answer, and so make it unsure. A memory with a gap may well hold what was asked for; that
 * something is not in the text nobody knows who has not noted all of it.
 */
import type { Answer } from '../workflows/workflow.ts'
import type { ReadingWarning } from './warning-log.ts'

/** What came before the answer. */
export interface Course {
  /** Chunks read. */
  readonly steps: number
  /** Ordinal of the last chunk. */
  readonly lastStep: number
  readonly keptMemories: number
}

type Rule = (warning: ReadingWarning, claim: Answer, course: Course) => boolean

const always: Rule = () => true
const never: Rule = () => false
/** Of a found answer only where most rewrites are missing. */
const gap: Rule = (_, { outcome }, { keptMemories, steps }) => outcome !== 'found' || 2 * keptMemories > steps

const rules: Readonly<Record<string, Rule>> = {
  'memory-empty': gap,
  'memory-refused': gap,
  // What was cut off last may have been the answer.
  'memory-cut': ({ lastStep }, { outcome }, course) => outcome !== 'found' || lastStep >= course.lastStep,
  // What was asked for may stand where nothing could be read.
  'source-broken': (_, { outcome }) => outcome !== 'found',
  // The response that came of it was whole.
  'answer-asked-again': never,
  // An update that had less room than planned and still was whole.
  'window-tight': never,
}

/** A workflow's own codes touch the answer when they begin with `answer-`. */
const ruleOf = (code: string): Rule => rules[code] ?? (code.startsWith('answer-') ? always : never)

/** The answer with its outcome, and which of the warnings touch it. */
export function settleAnswer(
  claim: Answer,
  warnings: readonly ReadingWarning[],
  course: Course,
): { readonly answer: Answer; readonly warnings: readonly ReadingWarning[] } {
  const judged = warnings.map((warning) => ({
    ...warning,
    touchesAnswer: ruleOf(warning.code)(warning, claim, course),
  }))
  const isTouched = judged.some(({ touchesAnswer }) => touchesAnswer)
  return { answer: isTouched ? { ...claim, outcome: 'unsure' } : claim, warnings: judged }
}
