/**
 * Packs token sequences into training batches. Sequences that begin alike (rollouts of one group at one chunk share question
 * and section) become branches of one trunk: the shared part is computed once, with exactly the result of separate sequences.
 */
import { ConfigurationError } from '@memagent/core'
import { commonPrefix, compareTokens, type TrainingBatch } from '@memagent/engine'
import { TokenRows } from '../token-rows.ts'
import type { TokenSequence } from './policy.ts'

export interface PackingOptions {
  /** Maximum tokens in one row; a multiple of 64. The longest sequence must fit. */
  readonly rowTokens: number
  /** Maximum rows in one batch. */
  readonly rows: number
}

/** Shortest trunk that sequences share, in tokens. */
const leastTrunk = 16

export interface PackedSequences extends TrainingBatch {
  /** Positions of each sequence's response tokens among the targets of this batch. */
  readonly places: readonly { readonly sequence: number; readonly from: number }[]
}

/** A trunk and the sequences that continue it. */
interface Family {
  readonly trunk: readonly number[]
  /** Indices of sequences. */
  readonly members: readonly number[]
  readonly length: number
}

/**
 * @param gradients d loss / d logprob of each response token; undefined for a forward pass only
 * @throws ConfigurationError for an empty response, or a sequence longer than a row
 */
export function packSequences(
  sequences: readonly TokenSequence[],
  gradients: readonly Float32Array[] | undefined,
  options: PackingOptions,
): PackedSequences[] {
  sequences.forEach((sequence, i) => {
    checkSequence(sequence, i, options.rowTokens)
  })
  const families = findFamilies(sequences, options)
  // Longest first: rows fill better, and the order is deterministic.
  const order = families
    .map((family, index) => ({ family, index }))
    .sort((a, b) => b.family.length - a.family.length || a.index - b.index)
  const rows: { families: Family[]; used: number }[] = []
  for (const { family } of order) {
    const row = rows.find(({ used }) => used + family.length <= options.rowTokens)
    if (row) {
      row.families.push(family)
      row.used += family.length
    } else rows.push({ families: [family], used: family.length })
  }
  const batches: PackedSequences[] = []
  for (let at = 0; at < rows.length; at += options.rows) {
    const chosen = rows.slice(at, at + options.rows)
    const shape = shapeFor(chosen.length, Math.max(...chosen.map(({ used }) => used)), options)
    batches.push(
      layOut(
        chosen.map(({ families }) => families),
        sequences,
        gradients,
        shape,
      ),
    )
  }
  return batches
}

/** Attention is computed in blocks of this many tokens; rows of other lengths would be summed in another order. */
const blockTokens = 128

/**
 * The smallest of a few shapes that holds a batch: padding costs as much as tokens, and every shape is compiled once. Only
 * padding at the end is left out, so results are identical to the last bit.
 */
function shapeFor(rows: number, used: number, most: PackingOptions): PackingOptions {
  const isInBlocks = most.rowTokens % blockTokens === 0
  return {
    rows: Math.min(most.rows, doubledTo(rows, 1)),
    rowTokens: isInBlocks ? Math.min(most.rowTokens, doubledTo(used, blockTokens)) : most.rowTokens,
  }
}

function doubledTo(least: number, from: number): number {
  return from >= least ? from : doubledTo(least, 2 * from)
}

function checkSequence({ promptTokens, responseTokens }: TokenSequence, index: number, rowTokens: number) {
  const length = promptTokens.length + responseTokens.length
  if (promptTokens.length > 0 && responseTokens.length > 0 && length <= rowTokens) return
  throw new ConfigurationError({
    code: 'train/sequence',
    message: `Sequence ${index} has ${promptTokens.length} prompt tokens and ${responseTokens.length} response tokens; both must be at least 1 and a row holds ${rowTokens}.`,
    hint: length > rowTokens ? 'Raise rowTokens, or lower the window.' : undefined,
  })
}

/** Sequences sorted by prompt share the most with their neighbours. */
function findFamilies(sequences: readonly TokenSequence[], { rowTokens }: PackingOptions): Family[] {
  const order = [...sequences.keys()].sort(
    (a, b) => compareTokens(sequences[a]!.promptTokens, sequences[b]!.promptTokens) || a - b,
  )
  const lengthOf = (index: number) =>
    sequences[index]!.promptTokens.length + sequences[index]!.responseTokens.length
  const families: Family[] = []
  for (let at = 0; at < order.length; ) {
    const first = sequences[order[at]!]!.promptTokens
    const members = [order[at]!]
    let [shared, length] = [first.length, lengthOf(order[at]!)]
    while (at + members.length < order.length) {
      const next = order[at + members.length]!
      const common = Math.min(shared, commonPrefix(first, sequences[next]!.promptTokens))
      // Tokens that the current members lose from the trunk are recomputed for each of them.
      const grown = length + (shared - common) * (members.length - 1) + lengthOf(next) - common
      if (common < leastTrunk || grown > rowTokens || grown >= length + lengthOf(next)) break
      members.push(next)
      shared = common
      length = grown
    }
    const trunk = members.length > 1 ? first.slice(0, shared) : []
    families.push({ trunk, members, length })
    at += members.length
  }
  return families
}

function layOut(
  rows: readonly (readonly Family[])[],
  sequences: readonly TokenSequence[],
  gradients: readonly Float32Array[] | undefined,
  options: PackingOptions,
): PackedSequences {
  const packed = new TokenRows(options.rows, options.rowTokens)
  const targetRows: number[] = []
  const targets: number[] = []
  const coefficients: number[] = []
  const places: { sequence: number; from: number }[] = []
  rows.forEach((families, row) => {
    packed.startRow(row)
    families.forEach(({ trunk, members }, group) => {
      packed.startGroup(group)
      for (const [position, token] of trunk.entries()) packed.place(token, position, 0)
      const trunkEnd = packed.at - 1
      members.forEach((index, member) => {
        const { promptTokens, responseTokens } = sequences[index]!
        places.push({ sequence: index, from: targets.length })
        for (let i = trunk.length; i < promptTokens.length; i++) {
          packed.place(promptTokens[i]!, i, member + 1)
        }
        for (const [t, token] of responseTokens.entries()) {
          const isAfterTrunk = t === 0 && promptTokens.length === trunk.length
          targetRows.push(isAfterTrunk ? trunkEnd : packed.at - 1)
          targets.push(token)
          // The engine's loss is -sum(coefficients * logprobs).
          coefficients.push(gradients ? -gradients[index]![t]! : 0)
          packed.place(token, promptTokens.length + t, member + 1)
        }
      })
    })
  })
  return {
    ...packed.batch,
    targetRows: Int32Array.from(targetRows),
    targets: Int32Array.from(targets),
    coefficients: Float32Array.from(coefficients),
    places,
  }
}
