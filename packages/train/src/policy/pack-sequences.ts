/**
 * Packs token sequences into training batches. Sequences that begin alike (rollouts of one group at one chunk share question
 * and section) become branches of one trunk: the shared part is computed once, with exactly the result of separate sequences.
 */
import { ConfigurationError } from '@memagent/core'
import { commonPrefix, compareTokens, type TrainingBatch } from '@memagent/engine'
import { fillRows, groupLength, layOut, type TokenGroup } from '../pack-rows.ts'
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

/** Sequences that begin alike. */
type Family = TokenGroup<{ readonly sequence: number }>

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
  // Longest first: rows fill better.
  const families = findFamilies(sequences, options).sort((a, b) => groupLength(b) - groupLength(a))
  const rows = fillRows(families, options.rowTokens)
  const batches: PackedSequences[] = []
  for (let at = 0; at < rows.length; at += options.rows) {
    const chosen = rows.slice(at, at + options.rows)
    const shape = shapeFor(chosen.length, Math.max(...chosen.map(({ used }) => used)), options)
    const { parts, ...batch } = layOut(chosen, { rows: shape.rows, rowLength: shape.rowTokens })
    const places = parts.map(({ from, part }) => ({ sequence: part.sequence, from }))
    const coefficients = new Float32Array(batch.targets.length)
    for (const { sequence, from } of gradients ? places : []) {
      // The engine's loss is -sum(coefficients * logprobs).
      for (const [t, gradient] of gradients![sequence]!.entries()) coefficients[from + t] = -gradient
    }
    batches.push({ ...batch, coefficients, places })
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
    const branches = members.map((sequence) => {
      const { promptTokens, responseTokens } = sequences[sequence]!
      const tokens = [...promptTokens.slice(trunk.length), ...responseTokens]
      return { tokens, responseStart: promptTokens.length - trunk.length, sequence }
    })
    families.push({ trunk, branches })
    at += members.length
  }
  return families
}
