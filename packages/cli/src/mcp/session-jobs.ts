/** Sessions are those of the command line, which reads and asks them by the same commands. */
import { MemAgentError } from '@memagent/core'
import {
  type AskRequest,
  answerFields,
  type Fields,
  isWaiting,
  progressTo,
  runFields,
  type SessionRequest,
  type ToolSessions,
} from '@memagent/server'
import type { ServerContext } from '@modelcontextprotocol/server'
import { askSessionCommandLine, readCommandLine } from './commands.ts'
import type { JobFailure } from './job.ts'
import type { Jobs } from './jobs.ts'
import type { StoredRuns } from './stored-runs.ts'

export interface SessionJobsOptions {
  readonly jobs: Jobs
  readonly runs: StoredRuns
  /** For the commands. */
  readonly options: readonly string[]
  readonly waitMs: number
}

export class SessionJobs implements ToolSessions {
  readonly #options: SessionJobsOptions

  constructor(options: SessionJobsOptions) {
    this.#options = options
  }

  async read(request: SessionRequest & Pick<AskRequest, 'files'>, ctx: ServerContext): Promise<Fields> {
    const session = await this.#options.runs.checkSession(request.session)
    return this.#waited(readCommandLine({ ...request, session }, request.files, this.#options.options), ctx)
  }

  async ask(request: SessionRequest, ctx: ServerContext): Promise<Fields> {
    const session = await this.#options.runs.checkSession(request.session)
    return this.#waited(askSessionCommandLine({ ...request, session }, this.#options.options), ctx)
  }

  async #waited(args: readonly string[], ctx: ServerContext): Promise<Fields> {
    const { jobs, runs, waitMs } = this.#options
    const job = jobs.start(args)
    const tell = progressTo(ctx)
    const end = await jobs.wait(job, {
      ms: waitMs,
      signal: ctx.mcpReq.signal,
      onProgress: ({ chunks: steps, bytes, totalBytes: sizeBytes }) => tell?.({ steps, bytes, sizeBytes }),
    })
    const { run } = job
    if (end?.failure) throw failureOf(end.failure, run)
    if (end?.answer && run !== undefined) return runFields(await runs.load(run), {})
    if (end)
      return {
        state: 'finished',
        ...(end.answer ? { ...answerFields(end.answer), remarks: end.document?.remarks } : end.document),
      }
    if (run !== undefined) return { state: 'reading', run, next: `Call get_result with run ${run}.` }
    return isWaiting
  }
}

/** Commands and options are nothing that a client could use. */
const isForShell = (hint = '') => /\bmemagent [a-z]|--[a-z]/.test(hint)

function failureOf({ code, message, hint }: JobFailure, run: string | undefined) {
  // As they are, its documents would fail again.
  const goOn =
    run === undefined || code.startsWith('document/') ? undefined : `What was read is kept as run ${run}.`
  const hints = [isForShell(hint) ? undefined : hint, goOn].filter((one) => one !== undefined)
  return new MemAgentError({ code, message, ...(hints.length > 0 && { hint: hints.join('\n') }) })
}
