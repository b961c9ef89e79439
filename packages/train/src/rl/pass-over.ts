/** Passes over and counts samples that cannot be read, in training and in evaluation. */
import { ConfigurationError } from '@memagent/core'
import { reasonToPassOver } from '../passed-over.ts'

/** Stands in for a sample or its readings. @param begun number of its rollouts that had begun */
export class PassedOver {
  readonly reason: string
  readonly begun: number

  constructor(reason: string, begun = 0) {
    this.reason = reason
    this.begun = begun
  }
}

/** @throws the error, unless it is about one document */
export function passOver(error: unknown): PassedOver {
  const reason = reasonToPassOver(error)
  if (reason === undefined) throw error
  return new PassedOver(reason)
}

/** @param where the lengths are set @param reasons one for every sample drawn */
export const nothingReadable = (
  task: string,
  lengths: readonly number[],
  where: string,
  reasons: readonly string[],
) =>
  new ConfigurationError({
    code: 'train/unreadable-samples',
    message: `Of ${reasons.length} samples of ${task} at lengths of ${lengths.join(', ')} tokens, none can be read. ${reasons[0]}`,
    hint: `Change ${where}, the options of the task, or the budget (budget.question, budget.chunk, ...).`,
    details: { task, lengths, reasons: [...new Set(reasons)] },
  })
