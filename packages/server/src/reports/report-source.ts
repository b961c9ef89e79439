/** Recorded benchmarks and training logs for the page, provided by whoever starts the server. Types only. */

export interface ReportSummary {
  /** For addresses: lower-case hexadecimal digits. */
  readonly id: string
  /** For people: the file's path in its folder. */
  readonly name: string
  readonly kind: 'benchmark' | 'training'
  readonly bytes: number
  /** Milliseconds since 1970. */
  readonly modifiedMs: number
}

export type ReportBlock =
  | { readonly type: 'heading'; readonly level: 1 | 2 | 3; readonly text: string }
  | { readonly type: 'paragraph'; readonly text: string; readonly tone?: 'plain' | 'warning' }
  | { readonly type: 'list'; readonly items: readonly string[] }
  | {
      readonly type: 'table'
      readonly caption: string
      readonly groupTitle?: string
      readonly columns: readonly { readonly title: string; readonly kind?: 'text' | 'number' }[]
      readonly rows: readonly {
        readonly group?: string
        readonly cells: readonly (string | { readonly value: string; readonly notes: readonly string[] })[]
      }[]
    }
  | {
      readonly type: 'figure'
      readonly caption: string
      /** Each is a complete SVG document. */
      readonly plots: readonly { readonly title: string; readonly svg: string }[]
    }

export interface Report extends ReportSummary {
  /** What its numbers refer to: models with their weights and the commit, or that none is recorded. */
  readonly of: string
  readonly blocks: readonly ReportBlock[]
}

export interface ReportSource {
  /** Sorted by name. */
  list(): Promise<readonly ReportSummary[]>
  /**
   * @returns undefined for an id that is not in the list
   * @throws RequestError 422 if its file cannot be shown, with the reason but not the path
   */
  read(id: string): Promise<Report | undefined>
}
