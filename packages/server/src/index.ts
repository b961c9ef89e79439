/** The public surface of @memagent/server: explicit named exports only. */
export { type AppOptions, createApp } from './app.ts'
export { removeTexts } from './files/remove-texts.ts'
export { type Upload, Uploads } from './files/uploads.ts'
export { defaultPort, type ListenOptions, listen, type RunningServer } from './listen.ts'
export { createLocalRunService, type LocalRunsOptions } from './mcp/local-run-service.ts'
export { progressTo } from './mcp/progress.ts'
export type { Fields } from './mcp/reply.ts'
export { answerFields, runFields } from './mcp/run-fields.ts'
export { isWaiting } from './mcp/run-waits.ts'
export {
  type AskedRun,
  type AskRequest,
  askOnce,
  type ToolRuns,
} from './mcp/tool-runs.ts'
export {
  createMcpServer,
  type SessionRequest,
  type ToolSessions,
  type ToolSources,
  type ToolsOptions,
} from './mcp/tools.ts'
export { WantedRuns } from './mcp/wanted-runs.ts'
export { within } from './mcp/within.ts'
export type { RequestLine } from './operations/operations.ts'
export type { ReportSource } from './reports/report-source.ts'
export { RequestError } from './request-error.ts'
export { asksOfSession } from './runs/asks-of-session.ts'
export type { RunService, WaitOptions } from './runs/run-service.ts'
export { goesOn } from './runs/run-settings.ts'
export { type ClientKey, createKey, hashOfKey } from './safety/keys.ts'
export type { ModelReading, ServedModel } from './served-model.ts'
