/**
 * Which warnings affect the answer and so make it unsure. A memory with gaps may well hold the answer, but "not in the text" is
 * certain only for a reader that noted all of it.
 */
import type { Answer } from '../workflows/workflow.ts'
import type { ReadingWarning } from './warning-log.ts'

/** The course of the reading before the answer. */
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
/** Affects an answer that was found only if most rewrites failed. */
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
  // Edits without room may have held the answer. The lines they would have changed are still there.
  'memory-full': (_, { outcome }) => outcome !== 'found',
  // What had no room is reported as `memory-full`.
  'consolidation-failed': never,
  'report-malformed': gap,
  // The part cut off may have held the answer.
  'report-cut': (_, { outcome }) => outcome !== 'found',
  // As with `consolidation-failed`.
  'merge-failed': never,
  // The rest of the response may have held the answer.
  'memory-ambiguous': (_, { outcome }) => outcome !== 'found',
  // The part cut off last may have held the answer.
  'memory-cut': ({ lastStep }, { outcome }, course) => outcome !== 'found' || lastStep >= course.lastStep,
  // So may what was not written.
  'memory-end-unknown': ({ lastStep }, { outcome }, course) =>
    outcome !== 'found' || lastStep >= course.lastStep,
  // The answer may be in the part that could not be read.
  'source-skipped': (_, { outcome }) => outcome !== 'found',
  'source-part-unread': (_, { outcome }) => outcome !== 'found',
  'source-broken': (_, { outcome }) => outcome !== 'found',
  // The answer may be in the part that was not read.
  'ended-early': (_, { outcome }) => outcome !== 'found',
  'passed-over': (_, { outcome }) => outcome !== 'found',
  // A model may well miss what it was not trained to note.
  'workflow-untrained': (_, { outcome }) => outcome !== 'found',
  // The texts may well say what the memory was not kept for.
  'notes-of-another-question': (_, { outcome }) => outcome !== 'found',
  // The answer may be in the texts not read yet.
  'reading-unfinished': (_, { outcome }) => outcome !== 'found',
  // Overwriting without a log forgets just as much.
  'memories-forgotten': never,
  // The second response was complete.
  'answer-asked-again': never,
  // The answer may still be true: in words too different, or by a kind of reasoning that is not looked for.
  'unsourced-answer': never,
  // This says nothing about the answer itself.
  'sources-unknown': never,
  // The update had less room than planned, but was complete.
  'window-tight': never,
}

/** A workflow's own codes affect the answer when they begin with `answer-`. */
const ruleOf = (code: string): Rule => rules[code] ?? (code.startsWith('answer-') ? always : never)

/** Settles the outcome of the answer, and which warnings affect it. */
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

/** The warnings that must go with the answer: those that affect it, and that no passage was found for it. */
export const warningsOfAnswer = (
  warnings: readonly ReadingWarning[],
): readonly Pick<ReadingWarning, 'code' | 'message'>[] =>
  warnings
    .filter(({ code, touchesAnswer }) => touchesAnswer || code === 'unsourced-answer')
    .map(({ code, message }) => ({ code, message }))
