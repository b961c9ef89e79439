/** The public surface of @memagent/web: explicit named exports only. */
export { appFolder } from './app-folder.ts'
export { makeRunPage } from './make-run-page.ts'
export { type PackedPage, packPage } from './packed-page.ts'
export { runPageHtml } from './page-html.ts'
export { type Report, type ReportSummary, report, reportList } from './report.ts'
export {
  type Estimate,
  estimate,
  type FileText,
  type Model,
  modelList,
  type Run,
  type RunList,
  type RunResultBody,
  run,
  runList,
  runPage,
  type Session,
  type SessionRead,
  type Step,
  sessionList,
  sessionReadReply,
  step,
  textOfFile,
  type WholeSession,
  wholeSession,
} from './run-api.ts'
export type { PageRange, PageResult, PageStatement, PageStep, Passage, RunPage } from './run-page.ts'
export { type ShownStep, stepsOf } from './shown-steps.ts'
