/** Recorded benchmarks and training logs as the server's page shows them. */
import { z } from 'zod'

const summary = z.object({
  /** For addresses: lower-case hexadecimal digits. */
  id: z.string(),
  /** For people: the file's path in its folder. */
  name: z.string(),
  kind: z.enum(['benchmark', 'training']),
  bytes: z.int(),
  /** Milliseconds since 1970. */
  modifiedMs: z.number(),
})

export const reportList = z.object({
  isSet: z.boolean().describe('False: the server was told of no reports'),
  reports: z.array(summary),
})

/** `Report` says more of the blocks. */
export const report = summary.extend({
  of: z.string().describe('What its numbers are of'),
  blocks: z.array(z.looseObject({ type: z.enum(['heading', 'paragraph', 'list', 'table', 'figure']) })),
})

export type ReportSummary = Readonly<z.infer<typeof summary>>
export type ReportList = z.infer<typeof reportList>

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
