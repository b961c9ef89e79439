/** A run of several questions for a terminal: what each came to. Questions and answers are made safe for it. */
import { answerText, checkpointsOfQuestions, totalUsage } from '@memagent/core'
import type { StoredRun } from '@memagent/store'
import type { AskedQuestion } from '../questions/question-file.ts'
import { goingOnText, questionsOf } from '../run-store/run-settings.ts'
import { printable } from '../terminal.ts'
import { usageText } from './shown-run.ts'

export type QuestionsRun = StoredRun & { readonly questions: readonly string[] }

export const hasQuestions = (run: StoredRun): run is QuestionsRun => run.questions !== undefined

/** Each question with its answer, or with what there is to say without one. @param store what to add to a command so that it finds the run */
export function questionsText(run: QuestionsRun, store: string): string {
  const { result, state, failure, id } = run
  const ends = endsOf(run)
  const { asked, readAs } = questionsOf(run)
  const lines = asked.flatMap((question, i) => [
    `${i + 1}. ${idOf(question, i)}${printable(question.text)}`,
    `   ${endOf(ends[readAs[i]!])}`,
    '',
  ])
  const usage =
    result?.type === 'answers' ? [usageText(totalUsage(result.answers.map((end) => end.usage)))] : []
  const stopped = failure ? [`It stopped: ${printable(failure.message)}`] : []
  const rest = state === 'unfinished' ? [...stopped, goingOnText(run, store)] : []
  const one = `Step by step, for one of them: memagent show ${id} --question 1${store}`
  return [...lines, ...usage, ...rest, one].map((line) => `${line}\n`).join('')
}

/** A question without an id in its file has its number. */
const idOf = ({ id }: AskedQuestion, index: number) => (id === String(index + 1) ? '' : `(${printable(id)}) `)

type End = Pick<Extract<NonNullable<StoredRun['result']>, { type: 'answer' }>, 'answer' | 'unread'>

/** The end of each question that has one. */
function endsOf({ questions, result, checkpoint }: QuestionsRun): readonly (End | undefined)[] {
  if (result?.type === 'answers') return result.answers
  const readings = checkpoint ? checkpointsOfQuestions(checkpoint, questions.length) : []
  return readings.map((reading) => reading?.answer && { answer: reading.answer })
}

const endOf = (end: End | undefined) =>
  end
    ? `Answer (${end.answer.outcome}): ${printable(answerText(end.answer, end.unread !== undefined))}`
    : 'It has no answer yet.'
