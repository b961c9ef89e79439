/** Runs as the tools see them. */
import type { StoredRun } from '@memagent/store'
import type { RunService, WaitOptions } from '../runs/run-service.ts'
import { settingsOf } from '../runs/run-settings.ts'
import type { Owner } from '../safety/keys.ts'
import type { ServedModel } from '../served-model.ts'
import type { Fields } from './reply.ts'

export interface AskRequest {
  readonly question: string
  /** As the run service knows them. */
  readonly files: readonly string[]
  /** Given in the call, read after the files. */
  readonly text?: string | undefined
}

export interface AskedRun {
  readonly id: string
  /** False: it was under way, for somebody else. */
  readonly isBegun: boolean
}

/** Those that one client may see: every method throws where there is no such run. */
export interface ToolRuns {
  /** Begins a reading, or goes on with the same one that is not finished. */
  ask(request: AskRequest): Promise<AskedRun>
  load(id: string): Promise<StoredRun>
  /** Until it is not read any more, or for so long. @throws the signal's reason */
  wait(id: string, options: WaitOptions): Promise<void>
  /** It goes on only when it is asked for again. */
  cancel(id: string): Promise<void>
  /** How a client goes on with a run that was stopped. */
  goOn(run: StoredRun): Fields
}

/** Those of the owner of a key. */
export class OwnRuns implements ToolRuns {
  readonly #runs: RunService
  readonly #owner: Owner
  readonly #onAsked: (id: string) => void

  /** @param onAsked told of the run that a call began, or goes on with */
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

  load(id: string): Promise<StoredRun> {
    return this.#runs.load(this.#owner, id)
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

/** Its documents cannot be read as they are: asked again, it fails again. */
export const failsAgain = ({ failure }: Pick<StoredRun, 'failure'>): boolean =>
  failure?.code.startsWith('document/') ?? false

/** A run that failed in this way would fail again: it is begun anew. */
const isLost = (run: Pick<StoredRun, 'failure'>): boolean =>
  failsAgain(run) || /^(?:checkpoint|store)\//.test(run.failure?.code ?? '')

/** It reads these files for this question as `start` would, and nothing else: it is no part of a session, and asks no memory. */
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
 * Goes on with the same reading of files that is not finished, otherwise begins one. A text of a call has no name to be known by:
 * it is always read anew.
 * @param isSame what else has to be the same
 */
export const askOnce = (
  runs: RunService,
  owner: Owner,
  request: AskRequest,
  isSame: (id: string) => Promise<boolean> = async () => true,
): Promise<AskedRun> =>
  runs.inTurn(JSON.stringify([owner, request.question, request.files]), () =>
    ask(runs, owner, request, isSame),
  )

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
    const isSamePlain = isPlain(await runs.load(owner, run.id), request, runs.usualModel)
    if (!isSamePlain || !(await isSame(run.id))) continue
    const isUnderWay = run.state !== 'unfinished'
    if (!isUnderWay) await runs.resume(owner, run.id)
    return { id: run.id, isBegun: !isUnderWay }
  }
  const { id } = await runs.start(owner, { question, files, text })
  return { id, isBegun: true }
}
