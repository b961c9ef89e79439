/** Samples that cannot be read, in training and in evaluation: they are passed over and counted. */
import { ConfigurationError } from '@memagent/core'
import { reasonToPassOver } from '../passed-over.ts'

/** In place of a sample, or of what was read of it. @param begun its rollouts that were */
export class PassedOver {
  readonly reason: string
  readonly begun: number

  constructor(reason: string, begun = 0) {
    this.reason = reason
    this.begun = begun
  }
}

/** @throws the error, unless it is that of one document */
export function passOver(error: unknown): PassedOver {
  const reason = reasonToPassOver(error)
  if (reason === undefined) throw error
  return new PassedOver(reason)
}

/** @param where the lengths are set @param reasons of all samples that were drawn */
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
