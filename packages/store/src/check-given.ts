/** Checks what a program gives to keep: what cannot be read again would be found damaged only after a reading was paid for. */
import { messageOf } from '@memagent/core'
import { StoreError } from './errors.ts'
import { isCount, isDescription, isFailure, isObject } from './run-fields.ts'
import { problemOfResult } from './run-result.ts'
import type { RunDescription, RunFailure, RunFilter, RunResult } from './run-store.ts'

/** @throws StoreError `store/bad-value` */
export function checkDescription(description: RunDescription): void {
  if (!isObject(description) || !isDescription(description)) {
    throw badValue(
      'The description of a run lacks a text',
      'It is { question, document, model, workflow }, each a name or a text: `model.name`, not the model.',
    )
  }
  toJson(description.settings ?? null, 'The settings of a run')
}

/** @returns the result as it is kept @throws StoreError `store/bad-value` */
export function resultToKeep(result: RunResult): string {
  const json = toJson(result ?? null, 'The result of a run')
  // Tokens that nobody counted are NaN, which is null in JSON.
  const kept = JSON.parse(json)
  const problem = problemOfResult(kept, Array.isArray(kept?.answers) ? kept.answers.length : 0)
  if (problem === undefined) return json
  throw badValue(
    `A run cannot be finished with this: ${problem}`,
    "It takes the last event of readDocument: if (event.type === 'answer') await run.finish(event)",
  )
}

/** What a failure says; whatever a program caught may be given as one, and JSON does not see the message of an error. */
export function failureToKeep(failure: RunFailure): string {
  const { code, message, hint } = isFailure(failure)
    ? failure
    : { code: 'unexpected', message: messageOf(failure) }
  return JSON.stringify({ code, message, hint })
}

const states = ['running', 'unfinished', 'finished']

/** A filter that means nothing would list nothing, or everything. @throws StoreError `store/bad-value` */
export function checkFilter({ state, text = '', limit = 0 }: RunFilter): void {
  if (state !== undefined && !states.includes(state))
    throw badValue(`Runs have no state ${String(state)}`, `There are ${states.join(', ')}.`)
  if (typeof text !== 'string') throw badValue('The text that runs are listed by is none')
  if (!(limit >= 0)) throw badValue(`A list cannot have ${String(limit)} runs`)
}

/** @throws StoreError `store/bad-value` unless it is a whole number of at least 0 */
export function requireCount(value: unknown, what: string): void {
  if (!isCount(value))
    throw badValue(`${what} cannot be ${String(value)}`, 'It takes a whole number of at least 0.')
}

/** @throws StoreError `store/bad-value` for what JSON cannot say */
export function toJson(value: unknown, what: string): string {
  try {
    const json: string | undefined = JSON.stringify(value)
    if (json !== undefined) return json
  } catch {
    // It contains itself, or a number that JSON lacks.
  }
  throw badValue(`${what} cannot be written as JSON`)
}

export const badValue = (what: string, hint?: string): StoreError =>
  new StoreError({ code: 'store/bad-value', message: `${what}.`, hint })
