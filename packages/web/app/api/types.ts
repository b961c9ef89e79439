/** What the server's API gives. Types only. */
import type { ReportBlock } from '../../src/report.ts'
import type { Run } from '../../src/run-api.ts'

export type { Report, ReportBlock, ReportList } from '../../src/report.ts'
export type {
  Estimate,
  FileText,
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

export type ReportTable = Extract<ReportBlock, { type: 'table' }>
