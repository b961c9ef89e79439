/** The columns of cells in HTML tables, some of which span several columns and rows. */

/** Cells that span more are mistakes, or meant to turn a small file into a large text. */
const [lastSpanned, mostRows] = [100, 1000]

interface Table {
  /** Column of the last cell, and of the next one unless a cell from above covers it. */
  column: number
  next: number
  /** Columns that cells of earlier rows cover, with the number of rows left. */
  readonly reached: Map<number, number>
  /** Columns covered in the current row. */
  covered: ReadonlySet<number>
}

const newTable = (): Table => ({ column: 0, next: 0, reached: new Map(), covered: new Set() })

export class TableColumns {
  #table = newTable()
  readonly #outer: Table[] = []

  openTable(): void {
    this.#outer.push(this.#table)
    this.#table = newTable()
  }

  closeTable(): void {
    this.#table = this.#outer.pop() ?? newTable()
  }

  row(): void {
    const table = this.#table
    table.column = table.next = 0
    table.covered = new Set(table.reached.keys())
    for (const [column, rows] of table.reached) {
      if (rows > 1) table.reached.set(column, rows - 1)
      else table.reached.delete(column)
    }
  }

  /** Begins a cell. @returns how many columns it is after the previous cell, or after the start of the row */
  cell(columns: number, rows: number): number {
    const table = this.#table
    while (table.covered.has(table.next)) table.next++
    const before = table.column
    table.column = table.next
    table.next += Math.max(1, Math.min(columns, lastSpanned - table.next))
    if (rows > 1) {
      for (let column = table.column; column < Math.min(table.next, lastSpanned); column++) {
        table.reached.set(column, Math.min(rows, mostRows) - 1)
      }
    }
    return table.column - before
  }
}
