/** Fills the rows of a training batch: tokens go into groups that do not see each other, and into branches of groups. */

export class TokenRows {
  readonly tokens: Int32Array
  readonly positions: Int32Array
  readonly group: Int32Array
  readonly branch: Int32Array
  /** Where the next token goes. */
  at = 0
  private currentGroup = 0

  readonly rows: number
  readonly rowLength: number

  constructor(rows: number, rowLength: number) {
    this.rows = rows
    this.rowLength = rowLength
    const size = rows * rowLength
    this.tokens = new Int32Array(size)
    this.positions = new Int32Array(size)
    this.group = new Int32Array(size).fill(-1)
    this.branch = new Int32Array(size)
  }

  startRow(row: number): void {
    this.at = row * this.rowLength
  }

  startGroup(group: number): void {
    this.currentGroup = group
  }

  /** @param branch 0 is the trunk, which all branches of the group see */
  place(token: number, position: number, branch: number): void {
    this.tokens[this.at] = token
    this.positions[this.at] = position
    this.group[this.at] = this.currentGroup
    this.branch[this.at] = branch
    this.at++
  }

  /** The fields of a training batch that rows determine. */
  get batch() {
    const { tokens, positions, group, branch, rows, rowLength } = this
    return { tokens, positions, group, branch, rows, rowLength }
  }
}
