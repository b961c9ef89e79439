/** Calls wait for runs until they end, or until the client gets a handle to ask with again. */
import { MemAgentError } from '@memagent/core'
import type { StoredRun } from '@memagent/store'
import type { ServerContext } from '@modelcontextprotocol/server'
import { settingsOf } from '../runs/run-settings.ts'
import { progressTo } from './progress.ts'
import type { Fields } from './reply.ts'
import { runFields } from './run-fields.ts'
import { type AskedRun, type AskRequest, failsAgain, type ToolRuns } from './tool-runs.ts'
import type { WantedRuns } from './wanted-runs.ts'
import { within } from './within.ts'

export interface RunWaitsOptions {
  readonly runs: ToolRuns
  /** Shared by all connections. */
  readonly wanted: WantedRuns
  /** How long a call waits; clients end calls after a minute. */
  readonly waitMs: number
}

export class RunWaits {
  readonly #options: RunWaitsOptions

  constructor(options: RunWaitsOptions) {
    this.#options = options
  }

  ask(request: AskRequest, ctx: ServerContext): Promise<Fields> {
    return this.begun(() => this.#options.runs.ask(request), ctx)
  }

  /**
   * Waits for a run of the call itself, which fails if the run does not finish. Beginning it may take long if the model has to
   * be opened.
   * @param begin begins the run, or finds an equal one; undefined if there is nothing to do
   */
  async begun(begin: () => Promise<AskedRun | undefined>, ctx: ServerContext): Promise<Fields> {
    const { wanted, waitMs } = this.#options
    const lateMs = performance.now() + waitMs
    await wanted.settled()
    const begun = await within(
      Math.max(waitMs, leastMs),
      begin().then((asked) => ({ asked })),
    )
    if (!begun) return isWaiting
    if (!begun.asked) return { state: 'finished' }
    const { id, isBegun } = begun.asked
    if (isBegun) wanted.begun(id)
    await this.#wait(id, ctx, Math.max(0, lateMs - performance.now()))
    return this.#fieldsOf(id, true)
  }

  async result(id: string, ctx: ServerContext): Promise<Fields> {
    const { state } = await this.#options.runs.load(id)
    if (state !== 'finished') await this.#wait(id, ctx)
    return this.#fieldsOf(id, false)
  }

  #wait(id: string, ctx: ServerContext, ms = this.#options.waitMs): Promise<void> {
    const { runs, wanted } = this.#options
    const { signal } = ctx.mcpReq
    return wanted.wait(id, {
      signal,
      work: () => runs.wait(id, { ms, signal, onProgress: progressTo(ctx) }),
      stop: () => runs.cancel(id),
    })
  }

  async #fieldsOf(id: string, isOwn: boolean): Promise<Fields> {
    const { runs } = this.#options
    const run = await runs.load(id)
    const isVain = failsAgain(run)
    const goOn = isVain ? afterVain(run) : runs.goOn(run)
    const fields = runFields(run, goOn)
    if (!isOwn || fields.state !== 'unfinished') return fields
    const { code = 'unexpected', message = 'The reading ended without saying why.', hint } = run.failure ?? {}
    const kept = isVain ? undefined : `What was read is kept as run ${id}.`
    const words = [kept, goOn.next].filter((one) => one !== undefined).join(' ')
    const lines = [hint, words].filter((line) => line !== undefined)
    throw new MemAgentError({ code, message, hint: lines.join('\n') })
  }
}

/** Beginning a run takes a moment, even if the call does not wait for its end. */
const leastMs = 1000

/** There is no run yet to ask for. */
export const isWaiting: Fields = {
  state: 'waiting',
  next: 'Call the same tool with the same arguments again: it goes on meanwhile.',
}

/** What to do if the same call would fail again. */
function afterVain(run: StoredRun): Fields {
  const same = 'The same call fails in the same way as long as the documents are what they are.'
  if (!settingsOf(run)?.readsInto) return { next: same }
  return {
    next: `${same} The session goes on once this reading is taken back: DELETE /api/runs/${run.id}.`,
  }
}
