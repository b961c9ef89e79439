/** What the server's API gives. Types only. */
import type { ReportBlock } from '../../src/report.ts'
import type { Run } from '../../src/run-api.ts'

export type { Report, ReportBlock, ReportList } from '../../src/report.ts'
export type {
  Estimate,
  Model,
  Run,
  RunList,
  Session,
  SessionRead,
  Step as StepEvent,
  WholeSession,
} from '../../src/run-api.ts'

export type RunState = Run['state']

export interface UploadedFile {
  readonly id: string
  readonly bytes: number
  readonly filename: string
}

export interface FileText {
  readonly name: string
  /** Where the text begins: at a whole character. */
  readonly startByte: number
  readonly text: string
  readonly marks: readonly { readonly startByte: number; readonly place: string }[]
  readonly nextByte?: number
  readonly remarks: readonly string[]
}

export type ReportTable = Extract<ReportBlock, { type: 'table' }>
