/** Sessions for clients, read and asked by the functions of the command line. */
import { Readable } from 'node:stream'
import { canonicalJson, MemAgentError } from '@memagent/core'
import {
  type AskRequest,
  answerFields,
  type Fields,
  isWaiting,
  progressTo,
  type SessionRequest,
  type ToolSessions,
} from '@memagent/server'
import type { ServerContext } from '@modelcontextprotocol/server'
import { Interruption } from '../failures.ts'
import { answerFromSession } from '../sessions/ask-session.ts'
import type { OpenModel } from '../sessions/open-reader.ts'
import { readIntoSession } from '../sessions/read-session.ts'
import { readFields } from '../sessions/report-read.ts'
import type { IsGiven, SessionFlags } from '../sessions/session-settings.ts'
import type { Terminal } from '../terminal.ts'
import type { Work } from './job.ts'
import type { Jobs } from './jobs.ts'
import type { StoredRuns } from './stored-runs.ts'

export interface SessionJobsOptions {
  readonly jobs: Jobs
  readonly runs: StoredRuns
  /** Flags of the readings. */
  readonly flags: SessionFlags
  readonly isGiven: IsGiven
  readonly openModel: OpenModel
  readonly waitMs: number
}

export class SessionJobs implements ToolSessions {
  readonly #options: SessionJobsOptions

  constructor(options: SessionJobsOptions) {
    this.#options = options
  }

  async read(
    { session, question, files }: SessionRequest & Pick<AskRequest, 'files'>,
    ctx: ServerContext,
  ): Promise<Fields> {
    const name = await this.#options.runs.checkSession(session)
    const { flags, isGiven, ...reading } = this.#reading()
    const asked = question === undefined ? {} : { question }
    const request = {
      ...{ ...reading, name, files, flags: { ...flags, ...asked } },
      isGiven: (flag: string) => flag in asked || isGiven(flag),
    }
    const work: Work = async (signal, onEvent) =>
      readFields(await readIntoSession({ ...request, onEvent }, silent(signal)))
    return this.#waited(canonicalJson(['read', name, question, files]), work, ctx)
  }

  async ask({ session, question }: SessionRequest, ctx: ServerContext): Promise<Fields> {
    const name = await this.#options.runs.checkSession(session)
    const request = { ...this.#reading(), name, question }
    const work: Work = async (signal, onEvent) => {
      const { end, remarks } = await answerFromSession({ ...request, onEvent }, silent(signal))
      return { ...answerFields(end), remarks }
    }
    return this.#waited(canonicalJson(['ask', name, question]), work, ctx)
  }

  #reading() {
    const { flags, isGiven, openModel } = this.#options
    return { flags: { ...flags, quiet: true }, isGiven, openModel }
  }

  /** @param key equal work has the same key, and does not run twice at once */
  async #waited(key: string, work: Work, ctx: ServerContext): Promise<Fields> {
    const { jobs, waitMs } = this.#options
    const job = jobs.start(key, work)
    const { signal } = ctx.mcpReq
    const waiting = { ms: waitMs, signal, onProgress: progressTo(ctx) }
    const end = await jobs.wait(job, waiting).catch((error) => {
      throw signal.aborted ? error : forClient(error, job.run)
    })
    if (end) return { state: 'finished', ...end }
    const { run } = job
    return run === undefined ? isWaiting : { state: 'reading', run, next: `Call get_result with run ${run}.` }
  }
}

/** A client's sessions read only files, and messages for people are dropped. */
const silent = (interruption: AbortSignal): Terminal => ({
  stdin: Object.assign(Readable.from([]), { isTTY: true }),
  stdout: { write: () => undefined },
  stderr: { write: () => undefined },
  environment: process.env,
  interruption,
})

/** Clients cannot use commands and options. */
const isForShell = (hint = '') => /\bmemagent [a-z]|--[a-z]/.test(hint)

function forClient(thrown: unknown, run: string | undefined): unknown {
  const error = thrown instanceof Interruption ? stopped() : thrown
  if (!MemAgentError.isInstance(error)) return error
  const { code, message, hint, details } = error
  // With unchanged documents, it would fail again.
  const goOn =
    run === undefined || code.startsWith('document/') ? undefined : `What was read is kept as run ${run}.`
  const hints = [isForShell(hint) ? undefined : hint, goOn].filter((one) => one !== undefined)
  const words = hints.length > 0 ? hints.join('\n') : undefined
  return new MemAgentError({ code, message, hint: words, details, cause: error })
}

const stopped = () =>
  new MemAgentError({
    code: 'interrupted',
    message: 'It was stopped. Call the same tool with the same arguments again: it goes on where it stopped.',
  })
