/** Checks the result of a run, which a damaged row or an exported file may have wrong. */
import { endOfReading } from '@memagent/core'
import { isCount, isObject } from './run-fields.ts'

/** @param questions that were asked together @returns what is wrong with it; undefined for none and for a valid one */
export function problemOfResult(result: unknown, questions: number): string | undefined {
  if (result === undefined) return undefined
  if (!isObject(result) || result.type !== 'answers') return endOfReading(result, 'result')
  const { answers } = result
  if (!Array.isArray(answers) || answers.length !== questions)
    return 'result.answers are not one for each question'
  return answers
    .map((answer, i) => {
      // An answer carries the number of its question, as in the events that commands print.
      const { question, ...end } = isObject(answer) ? answer : {}
      const path = `result.answers[${i}]`
      return question === undefined || isCount(question)
        ? endOfReading(end, path)
        : `${path}.question is no number`
    })
    .find((problem) => problem !== undefined)
}
