/**
 * Lays token sequences into the rows of a training batch. A branch sees its group's trunk and itself but no other branch, and
 * groups in a row do not see each other, so one pass trains exactly what separate sequences would.
 */
import type { TrainingBatch } from '@memagent/engine'

interface Branch {
  readonly tokens: readonly number[]
  /** Index of the first token that is a target. */
  readonly responseStart: number
}

/** A target inside a trunk: `token`, after the trunk's token `at`. */
interface TrunkTarget {
  readonly at: number
  readonly token: number
}

/**
 * Tokens that branches begin with.
 * @typeParam Part what is known of the targets of a branch or a hint
 */
export interface TokenGroup<Part = unknown> {
  readonly trunk: readonly number[]
  /** Targets inside the trunk. @default none */
  readonly hints?: readonly (TrunkTarget & Part)[]
  readonly branches: readonly (Branch & Part)[]
}

export const groupLength = ({ trunk, branches }: TokenGroup) =>
  trunk.length + branches.reduce((sum, { tokens }) => sum + tokens.length, 0)

interface Row<Group> {
  readonly groups: Group[]
  /** Tokens of its groups. */
  used: number
}

/** Distributes groups, none longer than a row, over rows: first fit in the order given. */
export function fillRows<Group extends TokenGroup>(
  groups: readonly Group[],
  rowLength: number,
): Row<Group>[] {
  const rows: Row<Group>[] = []
  for (const group of groups) {
    const length = groupLength(group)
    const row = rows.find(({ used }) => used + length <= rowLength)
    if (row) {
      row.groups.push(group)
      row.used += length
    } else rows.push({ groups: [group], used: length })
  }
  return rows
}

/** A batch without its coefficients, and the first target and the end of the targets of each part, in order. */
export function layOut<Part>(
  filled: readonly Row<TokenGroup<Part>>[],
  { rows, rowLength }: Pick<TrainingBatch, 'rows' | 'rowLength'>,
) {
  const size = rows * rowLength
  const tokens = new Int32Array(size)
  const positions = new Int32Array(size)
  const group = new Int32Array(size).fill(-1)
  const branch = new Int32Array(size)
  const targetRows: number[] = []
  const targets: number[] = []
  const parts: { readonly from: number; readonly to: number; readonly part: Part }[] = []
  filled.forEach(({ groups }, row) => {
    let at = row * rowLength
    groups.forEach(({ trunk, hints = [], branches }, ofGroup) => {
      const place = (token: number, position: number, ofBranch: number) => {
        tokens[at] = token
        positions[at] = position
        group[at] = ofGroup
        branch[at] = ofBranch
        at++
      }
      for (const hint of hints) {
        parts.push({ from: targets.length, to: targets.length + 1, part: hint })
        targetRows.push(at + hint.at)
        targets.push(hint.token)
      }
      for (const [position, token] of trunk.entries()) place(token, position, 0)
      const trunkEnd = at - 1
      branches.forEach((part, b) => {
        const from = targets.length
        for (const [i, token] of part.tokens.entries()) {
          if (i >= part.responseStart) {
            targetRows.push(i === 0 ? trunkEnd : at - 1)
            targets.push(token)
          }
          place(token, trunk.length + i, b + 1)
        }
        parts.push({ from, to: targets.length, part })
      })
    })
  })
  return {
    ...{ tokens, positions, group, branch, rows, rowLength },
    targetRows: Int32Array.from(targetRows),
    targets: Int32Array.from(targets),
    parts,
  }
}
