/** The sessions of the owner of a key. */
import type { ServerContext } from '@modelcontextprotocol/server'
import { RequestError } from '../request-error.ts'
import type { RunService } from '../runs/run-service.ts'
import type { SessionService } from '../runs/session-service.ts'
import type { Owner } from '../safety/keys.ts'
import type { Fields } from './reply.ts'
import type { RunWaits } from './run-waits.ts'
import type { AskedRun, AskRequest } from './tool-runs.ts'
import type { SessionRequest, ToolSessions } from './tools.ts'

export interface OwnSessionsOptions {
  readonly sessions: Pick<SessionService, 'read' | 'ask' | 'find'>
  readonly runs: RunService
  readonly owner: Owner
  readonly waits: RunWaits
}

export class OwnSessions implements ToolSessions {
  readonly #options: OwnSessionsOptions

  constructor(options: OwnSessionsOptions) {
    this.#options = options
  }

  /** First continues a reading that was stopped; new documents are read after it. */
  async read(request: SessionRequest & Omit<AskRequest, 'question'>, ctx: ServerContext): Promise<Fields> {
    const { sessions, owner, waits } = this.#options
    const { session, ...reading } = request
    const unfinished = await this.#unfinished(session)
    if (unfinished !== undefined) {
      const fields = await waits.begun(() => this.#goOn(unfinished), ctx)
      const next =
        'An earlier reading of the session went on. Call read_into_session again for these documents.'
      return { session, ...fields, ...(fields.state === 'finished' && { next }) }
    }
    let news: Fields = {}
    const fields = await waits.begun(async () => {
      const { run, ...told } = await sessions.read(owner, session, reading)
      news = told
      return run && { id: run.id, isBegun: true }
    }, ctx)
    return { session, ...news, ...fields }
  }

  async ask({ session, question }: SessionRequest, ctx: ServerContext): Promise<Fields> {
    const { sessions, owner, waits } = this.#options
    const ask = async () => ({ id: (await sessions.ask(owner, session, { question })).id, isBegun: true })
    return { session, ...(await waits.begun(ask, ctx)) }
  }

  async #unfinished(session: string): Promise<string | undefined> {
    const { sessions, owner } = this.#options
    const found = await sessions.find(owner, session).catch((error: unknown) => {
      // The session does not exist yet.
      if (RequestError.isInstance(error) && error.status === 404) return undefined
      throw error
    })
    return found?.unfinished
  }

  async #goOn(id: string): Promise<AskedRun> {
    const { runs, owner } = this.#options
    const { state } = await runs.find(owner, id)
    if (state === 'unfinished') await runs.resume(owner, id)
    return { id, isBegun: state === 'unfinished' }
  }
}
