/** Recorded benchmarks and logs of trainings that the page shows, as whoever starts the server gives them. Types only. */

export interface ReportSummary {
  /** For addresses: of lower-case hexadecimal digits. */
  readonly id: string
  /** For people: the file's place in its folder. */
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
      /** Each a whole SVG document. */
      readonly plots: readonly { readonly title: string; readonly svg: string }[]
    }

export interface Report extends ReportSummary {
  /** What every number in it is of: models with their weights and the commit, or that none is recorded. */
  readonly of: string
  readonly blocks: readonly ReportBlock[]
}

export interface ReportSource {
  /** By name. */
  list(): Promise<readonly ReportSummary[]>
  /**
   * @returns undefined for an id that the list does not have
   * @throws RequestError 422 where its file cannot be shown, saying why, without where it lies
   */
  read(id: string): Promise<Report | undefined>
}
