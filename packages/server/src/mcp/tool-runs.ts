/** Runs as the tools see them. */
import { type StoredRun, StoreError } from '@memagent/store'
import type { RunService, WaitOptions } from '../runs/run-service.ts'
import { settingsOf } from '../runs/run-settings.ts'
import type { Owner } from '../safety/keys.ts'
import type { ServedModel } from '../served-model.ts'
import type { Fields } from './reply.ts'

export interface AskRequest {
  readonly question: string
  /** Ids that the run service knows. */
  readonly files: readonly string[]
  /** Part of the call; read after the files. */
  readonly text?: string | undefined
}

export interface AskedRun {
  readonly id: string
  /** False if it was already under way, for somebody else. */
  readonly isBegun: boolean
}

/** The runs that one client may see; every method throws for any other. */
export interface ToolRuns {
  /** Begins a reading, or continues an unfinished equal one. */
  ask(request: AskRequest): Promise<AskedRun>
  load(id: string): Promise<StoredRun>
  /** Waits until it is no longer read, or for the given time. @throws the signal's reason */
  wait(id: string, options: WaitOptions): Promise<void>
  /** The run continues only when it is asked for again. */
  cancel(id: string): Promise<void>
  /** How a client continues a stopped run. */
  goOn(run: StoredRun): Fields
}

/** The runs of a key's owner. */
export class OwnRuns implements ToolRuns {
  readonly #runs: RunService
  readonly #owner: Owner
  readonly #onAsked: (id: string) => void

  /** @param onAsked called with the id of the run that a call began or continues */
  constructor(runs: RunService, owner: Owner, onAsked: (id: string) => void) {
    this.#runs = runs
    this.#owner = owner
    this.#onAsked = onAsked
  }

  async ask(request: AskRequest): Promise<AskedRun> {
    const asked = await askOnce(this.#runs, this.#owner, request)
    this.#onAsked(asked.id)
    return asked
  }

  async load(id: string): Promise<StoredRun> {
    const run = await this.#runs.load(this.#owner, id)
    // If it cannot go on here, there is nothing to wait for.
    const { failure } = this.#runs.view(run)
    return failure ? { ...run, failure } : run
  }

  async wait(id: string, options: WaitOptions): Promise<void> {
    await this.#runs.wait(this.#owner, id, options)
  }

  async cancel(id: string): Promise<void> {
    await this.#runs.cancel(this.#owner, id)
  }

  goOn(run: StoredRun): Fields {
    const { readsInto, asksSession } = settingsOf(run) ?? {}
    if (readsInto)
      return { next: 'Call read_into_session for the same session again: it goes on where it stopped.' }
    if (asksSession !== undefined) return { next: 'Call ask_session again.' }
    return {
      next: 'Call ask_documents with the same arguments again: of files, it goes on where it stopped.',
    }
  }
}

/** Whether its documents cannot be read as they are, so that asking again would fail again. */
export const failsAgain = ({ failure }: Pick<StoredRun, 'failure'>): boolean =>
  /^(?:document\/|server\/file-gone$)/.test(failure?.code ?? '')

/** Whether continuing the run would fail again, so that a new one is begun. */
const isLost = (run: Pick<StoredRun, 'failure'>): boolean =>
  failsAgain(run) || /^(?:checkpoint|store)\//.test(run.failure?.code ?? '')

/** Undefined if it is damaged: lists tell this only of what they show. */
const unlessDamaged = (run: Promise<StoredRun>): Promise<StoredRun | undefined> =>
  run.catch((error) => {
    if (StoreError.isInstance(error) && error.code === 'store/damaged') return undefined
    throw error
  })

/** Whether it only reads these files for this question, as `start` would, without a session or the memory of another run. */
function isPlain(
  run: StoredRun,
  { question, files }: AskRequest,
  { id, model, workflow }: ServedModel,
): boolean {
  const settings = settingsOf(run)
  if (!settings || run.question !== question || run.model !== model.name) return false
  const { readsInto, asksSession, memoryOf, temperature, seed } = settings
  if ([readsInto, asksSession, memoryOf, temperature, seed].some((one) => one !== undefined)) return false
  if (settings.model !== id || settings.workflow !== workflow.name) return false
  const read = settings.files.map((file) => file.id)
  return files.length > 0 && read.join('\0') === files.join('\0')
}

/**
 * Continues an unfinished reading of the same files, or else begins one. A text in a call has no name to identify it, so it is
 * always read anew.
 * @param isSame checks anything else that has to be the same
 */
export const askOnce = (
  runs: RunService,
  owner: Owner,
  { files, ...request }: AskRequest,
  isSame: (id: string) => Promise<boolean> = async () => true,
): Promise<AskedRun> => {
  // As a run lists them.
  const once = { ...request, files: [...new Set(files)] }
  return runs.inTurn(JSON.stringify([owner, once.question, once.files]), () => ask(runs, owner, once, isSame))
}

async function ask(
  runs: RunService,
  owner: Owner,
  request: AskRequest,
  isSame: (id: string) => Promise<boolean>,
): Promise<AskedRun> {
  const { question, files, text } = request
  const listed = text === undefined ? await runs.list(owner, { text: question, limit: 1000 }) : { runs: [] }
  for (const run of listed.runs) {
    if (run.state === 'finished' || run.question !== question || isLost(run)) continue
    const stored = await unlessDamaged(runs.load(owner, run.id))
    if (!stored || !isPlain(stored, request, runs.usualModel) || !(await isSame(run.id))) continue
    const isUnderWay = run.state !== 'unfinished'
    if (!isUnderWay) await runs.resume(owner, run.id)
    return { id: run.id, isBegun: !isUnderWay }
  }
  const { id } = await runs.start(owner, { question, files, text })
  return { id, isBegun: true }
}
