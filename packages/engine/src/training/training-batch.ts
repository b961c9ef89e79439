/** The input of one training pass, and its tensors. B rows, T tokens per row, N targets. */
import { EngineError } from '../errors.ts'

export interface TrainingBatch {
  readonly rows: number
  readonly rowLength: number
  /** [B*T] */
  readonly tokens: Int32Array
  /** [B*T] rotary positions */
  readonly positions: Int32Array
  /**
   * [B*T] A token may attend to an earlier one of its row if their groups are equal and the earlier one's branch is 0 or
   * its own. -1 is padding.
   */
  readonly group: Int32Array
  /** [B*T] 0: the trunk that all branches of the group share; k >= 1: branches that do not see each other. */
  readonly branch: Int32Array
  /** [N] flat index of the token whose next-token distribution is used. */
  readonly targetRows: Int32Array
  /** [N] the token to predict there. */
  readonly targets: Int32Array
  /** [N] the loss is -sum(coefficients * logprobs). */
  readonly coefficients: Float32Array
}

/** @throws EngineError naming the field and the position in it */
export function checkBatch(batch: TrainingBatch, vocabularySize: number, maxPositions: number): void {
  const size = batch.rows * batch.rowLength
  const fail = (message: string) => {
    throw new EngineError({ code: 'engine/batch', message })
  }
  for (const field of ['tokens', 'positions', 'group', 'branch'] as const) {
    if (batch[field].length !== size) {
      fail(
        `${field} has ${batch[field].length} entries; ${batch.rows} rows of ${batch.rowLength} need ${size}.`,
      )
    }
  }
  const count = batch.targets.length
  if (count === 0) fail('The batch has no targets.')
  if (batch.targetRows.length !== count || batch.coefficients.length !== count) {
    fail(
      `targets (${count}), targetRows (${batch.targetRows.length}) and coefficients (${batch.coefficients.length}) differ in length.`,
    )
  }
  const checkRange = (values: Int32Array, limit: number, name: string) => {
    const at = values.findIndex((value) => value < 0 || value >= limit)
    if (at >= 0) fail(`${name}[${at}] is ${values[at]}, outside 0..${limit - 1}.`)
  }
  checkRange(batch.tokens, vocabularySize, 'tokens')
  checkRange(batch.targets, vocabularySize, 'targets')
  checkRange(batch.targetRows, size, 'targetRows')
  checkRange(batch.positions, maxPositions, 'positions')
}

/** Large enough to vanish in a softmax, small enough to stay finite when added to. */
const masked = -1e9

/**
 * The additive mask [B, 1, T, T]; a padding token sees only itself.
 *
 * @param mask an array of that size to write to
 */
export function attentionMask(
  batch: TrainingBatch,
  mask: Float32Array = new Float32Array(batch.rows * batch.rowLength ** 2),
): Float32Array {
  const { rows, rowLength } = batch
  mask.fill(masked)
  for (let row = 0; row < rows; row++) {
    const start = row * rowLength
    const runs = runsOf(batch, start)
    for (const [r, { group, branch, from, to }] of runs.entries()) {
      const seen =
        group < 0
          ? []
          : runs
              .slice(0, r)
              .filter((run) => run.group === group && (run.branch === 0 || run.branch === branch))
      for (let i = from; i < to; i++) {
        const line = (start + i) * rowLength
        for (const run of seen) mask.fill(0, line + run.from, line + run.to)
        mask.fill(0, line + (group < 0 ? i : from), line + i + 1)
      }
    }
  }
  return mask
}

/** Runs of consecutive tokens in one group and branch. */
function runsOf({ rowLength, group, branch }: TrainingBatch, start: number) {
  const runs: { group: number; branch: number; from: number; to: number }[] = []
  for (let i = 0; i < rowLength; i++) {
    const [ownGroup, ownBranch] = [group[start + i]!, branch[start + i]!]
    const last = runs.at(-1)
    if (last && last.group === ownGroup && last.branch === ownBranch) last.to = i + 1
    else runs.push({ group: ownGroup, branch: ownBranch, from: i, to: i + 1 })
  }
  return runs
}

/** Cosines and sines of the rotary angles, [positions, E/2] each. */
export function rotaryTables(
  positions: Int32Array,
  headDimension: number,
  theta: number,
): { cosines: Float32Array; sines: Float32Array } {
  const half = headDimension / 2
  const frequencies = Float64Array.from({ length: half }, (_, i) => theta ** (-i / half))
  const cosines = new Float32Array(positions.length * half)
  const sines = new Float32Array(positions.length * half)
  positions.forEach((position, p) => {
    for (let i = 0; i < half; i++) {
      const angle = position * frequencies[i]!
      cosines[p * half + i] = Math.cos(angle)
      sines[p * half + i] = Math.sin(angle)
    }
  })
  return { cosines, sines }
}

/** These rows of a table [rows, width], concatenated. */
export function gatherRows(table: Float32Array, width: number, rows: Int32Array): Float32Array {
  const gathered = new Float32Array(rows.length * width)
  for (let i = 0; i < rows.length; i++) {
    const from = rows[i]! * width
    gathered.set(table.subarray(from, from + width), i * width)
  }
  return gathered
}
