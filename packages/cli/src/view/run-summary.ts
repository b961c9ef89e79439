/** What lists say of a run, in a few words each. */
import type { RunSummary } from '@memagent/store'
import { printable } from '../terminal.ts'

/** What was asked, in one line. */
export function askedIn({ question, questions }: RunSummary): string {
  if (!questions) return question ?? '(notes)'
  return questions.length === 1 ? questions[0]! : `${questions.length} questions: ${questions[0]}`
}

/** The state of a run, in a word or two. */
export const stateText = ({ state, outcome, failure, isDamaged }: RunSummary): string =>
  isDamaged
    ? 'damaged'
    : state === 'finished'
      ? (outcome ?? 'finished')
      : failure && state === 'unfinished'
        ? `stopped: ${printable(failure.code)}`
        : state

/** In local time. */
export function timeText(ms: number): string {
  const two = (number: number) => String(number).padStart(2, '0')
  const at = new Date(ms)
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())} ${two(at.getHours())}:${two(at.getMinutes())}`
}
