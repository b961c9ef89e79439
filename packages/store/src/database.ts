/** What a driver gives: SQL with `?` for values, and transactions. Types only. */

export type Value = string | number | null
export type Row = Readonly<Record<string, Value>>

export interface Queries {
  all(sql: string, ...values: Value[]): Promise<readonly Row[]>
  /** @returns how many rows it changed */
  run(sql: string, ...values: Value[]): Promise<number>
}

/** Every method throws StoreError. */
export interface Database extends Queries {
  /** For messages. */
  readonly name: string
  /** SQL for the store's clock, in milliseconds since 1970: one clock for all processes. */
  readonly nowMs: string
  /**
   * All or nothing; what throws in it undoes it. Writers come one after the other where they write the same rows.
   * @param isAlone no other transaction of this kind runs meanwhile
   */
  transaction<Result>(
    work: (queries: Queries) => Promise<Result>,
    options?: { readonly isAlone?: boolean },
  ): Promise<Result>
  /** What was removed is gone from the files, too. */
  erase(): Promise<void>
  close(): Promise<void>
}
