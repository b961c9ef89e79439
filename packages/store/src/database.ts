/** What a driver provides: SQL with `?` placeholders, and transactions. Types only. */

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
   * All or nothing: rolled back if `work` throws. Transactions that write the same rows run one after another.
   * @param isAlone no other `isAlone` transaction runs meanwhile
   */
  transaction<Result>(
    work: (queries: Queries) => Promise<Result>,
    options?: { readonly isAlone?: boolean },
  ): Promise<Result>
  /** Removes deleted data from the files as well. */
  erase(): Promise<void>
  close(): Promise<void>
}
