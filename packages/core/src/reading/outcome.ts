/**
 * Which warnings affect the answer, and so make it unsure. A memory with gaps may well hold the answer; but "not in the
 * text" is only certain for a reader that noted all of it.
 */
import type { Answer } from '../workflows/workflow.ts'
import type { ReadingWarning } from './warning-log.ts'

/** How the reading went before the answer. */
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
/** For an answer that was found, only when most rewrites failed. */
const gap: Rule = (_, { outcome }, { keptMemories, steps }) => outcome !== 'found' || 2 * keptMemories > steps

const rules: Readonly<Record<string, Rule>> = {
  'memory-empty': gap,
  'memory-refused': gap,
  'edits-malformed': gap,
  'edits-cut': gap,
  'gates-malformed': gap,
  'gates-cut': gap,
  'recall-malformed': gap,
  'recall-cut': gap,
  // Edits that had no room may have been the answer. The lines that they would have changed are still there.
  'memory-full': (_, { outcome }) => outcome !== 'found',
  // What it had no room for is told as `memory-full`.
  'consolidation-failed': never,
  'report-malformed': gap,
  // What was cut off may have been the answer.
  'report-cut': (_, { outcome }) => outcome !== 'found',
  // As for consolidations.
  'merge-failed': never,
  // What else it wrote may have been the answer.
  'memory-ambiguous': (_, { outcome }) => outcome !== 'found',
  // What was cut off last may have been the answer.
  'memory-cut': ({ lastStep }, { outcome }, course) => outcome !== 'found' || lastStep >= course.lastStep,
  // The answer may be in the part that could not be read.
  'source-skipped': (_, { outcome }) => outcome !== 'found',
  'source-part-unread': (_, { outcome }) => outcome !== 'found',
  'source-broken': (_, { outcome }) => outcome !== 'found',
  // The answer may be in the part that was not read.
  'ended-early': (_, { outcome }) => outcome !== 'found',
  'passed-over': (_, { outcome }) => outcome !== 'found',
  // A model may well miss what it was not taught to note.
  'workflow-untrained': (_, { outcome }) => outcome !== 'found',
  // What the memory was not kept for may well stand in the texts.
  'notes-of-another-question': (_, { outcome }) => outcome !== 'found',
  // The answer may be in the texts that are still to be read.
  'reading-unfinished': (_, { outcome }) => outcome !== 'found',
  // Overwriting without a log forgets as much.
  'memories-forgotten': never,
  // The response that came of it was complete.
  'answer-asked-again': never,
  // It may still be true: in words too different, or by reasoning of a kind that nothing looks for.
  'unsourced-answer': never,
  // It says nothing of the answer itself.
  'sources-unknown': never,
  // An update that had less room than planned and was still complete.
  'window-tight': never,
}

/** A workflow's own codes affect the answer when they begin with `answer-`. */
const ruleOf = (code: string): Rule => rules[code] ?? (code.startsWith('answer-') ? always : never)

/** The answer with its outcome, and which of the warnings affect it. */
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

/** What whoever gets the answer has to know: what affects it, and that no passage was found that says it. */
export const warningsOfAnswer = (
  warnings: readonly ReadingWarning[],
): readonly Pick<ReadingWarning, 'code' | 'message'>[] =>
  warnings
    .filter(({ code, touchesAnswer }) => touchesAnswer || code === 'unsourced-answer')
    .map(({ code, message }) => ({ code, message }))
