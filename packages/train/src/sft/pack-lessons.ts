/**
 * Packs groups of conversations into token batches. Response tokens carry loss, and so do hints; every target of the batch
 * weighs the same.
 */
import { ConfigurationError } from '@memagent/core'
import type { TrainingBatch } from '@memagent/engine'
import { fillRows, groupLength, layOut } from '../pack-rows.ts'
import { conversationTokensOf, type Group } from './lesson-groups.ts'

export interface PackedBatch extends TrainingBatch {
  /** Tokens of whole conversations, prompts and responses; shared tokens count for each, padding does not count. */
  readonly conversationTokens: number
  /** For each response and each hint: its first target, the end of its targets, and its case. */
  readonly responses: readonly { readonly from: number; readonly to: number; readonly name: string }[]
}

/**
 * Lays groups into rows of one length, first fit in the order given.
 * @param rowLength a multiple of 64 keeps the number of compiled shapes small
 * @throws ConfigurationError if a group is longer than a row
 */
export function packGroups(groups: readonly Group[], rowLength: number): PackedBatch {
  const tooLong = groups.map(groupLength).find((length) => length > rowLength)
  if (tooLong !== undefined) {
    throw new ConfigurationError({
      code: 'train/row-too-short',
      message: `A lesson of ${tooLong} tokens does not fit a row of ${rowLength}.`,
      hint: 'Raise rowTokens, or lower sectionTokens or questions.',
    })
  }
  const rows = fillRows(groups, rowLength)
  const { parts, ...batch } = layOut(rows, { rows: rows.length, rowLength })
  return {
    ...batch,
    conversationTokens: groups.reduce((sum, group) => sum + conversationTokensOf(group), 0),
    coefficients: new Float32Array(batch.targets.length).fill(1 / batch.targets.length),
    responses: parts.map(({ from, to, part }) => ({ from, to, name: part.name })),
  }
}
