/** A file of a written report. Types only. */
export interface ReportFile {
  /** Relative to the report's folder, with forward slashes. */
  readonly name: string
  readonly text: string
}
