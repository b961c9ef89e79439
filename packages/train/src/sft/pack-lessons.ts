/**
 * Packs groups of conversations into token batches. A branch sees its group's trunk and itself but no other branch, and
 * groups in a row do not see each other, so one pass trains exactly what separate conversations would.
 *
 * Response tokens carry loss, and so do hints; every target of the batch weighs the same.
 */
import { ConfigurationError } from '@memagent/core'
import type { TrainingBatch } from '@memagent/engine'
import { TokenRows } from '../token-rows.ts'
import { conversationTokensOf, type Group, groupLength } from './lesson-groups.ts'

export interface PackedBatch extends TrainingBatch {
  readonly rows: number
  readonly rowLength: number
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
  const rows: { groups: Group[]; used: number }[] = []
  for (const group of groups) {
    const length = groupLength(group)
    if (length > rowLength) {
      throw new ConfigurationError({
        code: 'train/row-too-short',
        message: `A lesson of ${length} tokens does not fit a row of ${rowLength}.`,
        hint: 'Raise rowTokens, or lower sectionTokens or questions.',
      })
    }
    const row = rows.find(({ used }) => used + length <= rowLength)
    if (row) {
      row.groups.push(group)
      row.used += length
    } else rows.push({ groups: [group], used: length })
  }
  const packed = new TokenRows(rows.length, rowLength)
  const targetRows: number[] = []
  const targets: number[] = []
  const responses: { from: number; to: number; name: string }[] = []
  rows.forEach((row, r) => {
    packed.startRow(r)
    row.groups.forEach((group, g) => {
      packed.startGroup(g)
      for (const target of group.hints ?? []) {
        responses.push({ from: targets.length, to: targets.length + 1, name: target.name })
        targetRows.push(packed.at + target.at)
        targets.push(target.token)
      }
      group.trunk.forEach((token, i) => {
        packed.place(token, i, 0)
      })
      group.branches.forEach((branch, b) => {
        const from = targets.length
        branch.tokens.forEach((token, i) => {
          if (i >= branch.responseStart) {
            targetRows.push(packed.at - 1)
            targets.push(token)
          }
          packed.place(token, group.trunk.length + i, b + 1)
        })
        responses.push({ from, to: targets.length, name: branch.name })
      })
    })
  })
  return {
    ...packed.batch,
    conversationTokens: groups.reduce((sum, group) => sum + conversationTokensOf(group), 0),
    targetRows: Int32Array.from(targetRows),
    targets: Int32Array.from(targets),
    coefficients: new Float32Array(targets.length).fill(1 / targets.length),
    responses,
  }
}
