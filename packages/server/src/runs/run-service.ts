/**
 * Runs of a server: begun, followed, stopped and asked again by their owner. Readings continue whether or not anybody follows
 * them, and even after the server was stopped or killed.
 */

import { createConcurrencyLimit } from '@memagent/core'
import type { ReadableRuns, RunFailure, RunSummary, StoredRun } from '@memagent/store'
import type { Estimate, Run } from '@memagent/web'
import type { Admission } from '../admission/admission.ts'
import { filesOf, removeTexts } from '../files/remove-texts.ts'
import { RequestError } from '../request-error.ts'
import { everyone, type Owner } from '../safety/keys.ts'
import type { ServedModel } from '../served-model.ts'
import { estimateRequest } from './estimate.ts'
import { type FollowOptions, followRun, type RunEvent } from './follow-run.ts'
import { listRuns, type RunFilter } from './list-runs.ts'
import { type AskRequest, type NewRun, newAsk, newRun, type StartRequest } from './new-run.ts'
import { OneByOne } from './one-by-one.ts'
import { loadOwnRun, ownSummary } from './own-run.ts'
import { prepareRun, type Surroundings } from './prepare-run.ts'
import { fileGone, isFinished, notOurs, notServed, readElsewhere, underWay } from './run-errors.ts'
import { RunJob } from './run-job.ts'
import { cancelled, goesOn, readsPaths, settingsOf, storedSettings } from './run-settings.ts'
import { runView } from './run-view.ts'
import { servedModel } from './served-workflows.ts'

export interface RunServiceOptions extends Surroundings {
  /** Shared with everything else that reads. */
  readonly admission: Admission
  readonly onFailure: (error: unknown) => void
  /** Milliseconds since 1970. */
  readonly now: () => number
}

export interface WaitOptions {
  readonly ms: number
  readonly signal: AbortSignal
  /** Called when it has progressed. */
  readonly onProgress?: ((run: Run) => void) | undefined
}

/** Each estimate goes through a whole text. */
const estimatesAtOnce = 2
/** How often to look for runs that another server left behind. */
const takeUpMs = 30_000

/** Every method that takes an owner and an id throws RequestError 404 if this owner has no such run. */
export class RunService {
  readonly #options: RunServiceOptions
  readonly #jobs = new Map<string, RunJob>()
  /** If two clients stop or resume a run at once, the second one finds what the first has left. */
  readonly #changes = new OneByOne()
  readonly #ending = new AbortController()
  readonly #estimating = createConcurrencyLimit(estimatesAtOnce)
  /** Runs that would go on by themselves, and why they cannot here. */
  #unreadable: ReadonlyMap<string, RequestError> = new Map()
  #takingUp: NodeJS.Timeout | undefined

  constructor(options: RunServiceOptions) {
    this.#options = options
  }

  /**
   * Resumes all runs that were under way, and from then on those of other servers of the store that vanish. To be called once,
   * before the first request.
   */
  async goOn(): Promise<void> {
    const { store, uploads } = this.#options
    await uploads.removeAbandoned(async () => new Set((await store.list()).flatMap(filesOf)))
    await this.#takeUp()
    this.#takingUp = setInterval(() => void this.#takeUp().catch(this.#options.onFailure), takeUpMs).unref()
  }

  async #takeUp(): Promise<void> {
    const all = await this.#options.store.list({ state: 'unfinished' })
    const unreadable = new Map<string, RequestError>()
    // Oldest first, in the order in which they were requested.
    for (const run of all.toReversed()) {
      if (this.#ending.signal.aborted) return
      if (!goesOn(run)) continue
      const obstacle = await this.#changes.change(run.id, () => this.#takeUpOne(run))
      if (obstacle) unreadable.set(run.id, obstacle)
    }
    this.#unreadable = unreadable
  }

  /** @returns why it cannot be read here, if so */
  async #takeUpOne(run: RunSummary): Promise<RequestError | undefined> {
    try {
      await this.#requireReadable(run)
    } catch (error) {
      if (RequestError.isInstance(error)) return error
      throw error
    }
    this.#begin(run)
    return undefined
  }

  /** @throws RequestError 400, 404 for a missing file, 429 if too many are waiting; DocumentError */
  async start(owner: Owner, request: StartRequest): Promise<Run> {
    return this.add(owner, await newRun(owner, request, this.#options))
  }

  /** What `start` would take; nothing is kept. @throws like `start`, except 429; the signal's reason */
  estimate(owner: Owner, request: StartRequest, signal: AbortSignal): Promise<Estimate> {
    const until = this.#until(signal)
    return this.#estimating(() => estimateRequest(owner, request, this.#options, until), until)
  }

  /** Serializes equal requests, so that each finds what the previous one has left. @param request tells it from others */
  inTurn<Result>(request: string, work: () => Promise<Result>): Promise<Result> {
    return this.#changes.change(`request ${request}`, work)
  }

  /** Asks the memory of a run something else; nothing is read. @throws RequestError 409 if there is none to ask */
  async ask(owner: Owner, id: string, request: AskRequest): Promise<Run> {
    const run = await this.load(owner, id)
    return this.add(owner, await newAsk(owner, run, request, this.#options, (of) => this.load(owner, of)))
  }

  /** Begins a run, or discards what was kept for it. @throws RequestError 429 if too many are waiting; errors of creating it */
  async add(owner: Owner, { create, onRefused }: NewRun): Promise<Run> {
    const { store, admission } = this.#options
    try {
      admission.requireRoom(owner ?? everyone)
      const run = await store.load(await create())
      this.#begin(run)
      return this.view(run)
    } catch (error) {
      await onRefused()
      throw error
    }
  }

  /** As clients see it. */
  view(run: RunSummary & Partial<StoredRun>): Run {
    const model = settingsOf(run)?.model
    const obstacle =
      model === undefined || this.#serves(model) ? this.#unreadable.get(run.id) : notServed(run.id, model)
    const progress = this.#jobs.get(run.id)?.progress
    // One that waits here may have been cancelled in another server, or be read there.
    const isOwn = progress?.state === 'running' || goesOn(run)
    return runView(run, isOwn ? progress : undefined, obstacle)
  }

  #serves(model: string): boolean {
    return this.#options.models.some(({ id }) => id === model)
  }

  /** With its result. */
  async find(owner: Owner, id: string): Promise<Run> {
    return this.view(await this.load(owner, id))
  }

  list(owner: Owner, filter: RunFilter): Promise<{ runs: Run[]; next?: string }> {
    return listRuns(owner, filter, this.#options.store, (run) => this.view(run))
  }

  /** Its steps from the first one, or from the one after a position, and its states; ends when it is no longer read. */
  async *follow(owner: Owner, id: string, options: FollowOptions): AsyncGenerator<RunEvent> {
    await this.load(owner, id)
    yield* followRun(this.#followed(id), { ...options, signal: this.#until(options.signal) })
  }

  /** Waits until it is no longer read, or for the given time. @throws the signal's reason */
  async wait(owner: Owner, id: string, { ms, signal, onProgress }: WaitOptions): Promise<Run> {
    await this.load(owner, id)
    const late = AbortSignal.any([signal, AbortSignal.timeout(Math.round(ms))])
    for await (const event of followRun(this.#followed(id), { signal: this.#until(late), after: 'now' })) {
      if (event.type === 'state') onProgress?.(event.run)
    }
    signal.throwIfAborted()
    return this.find(owner, id)
  }

  /** It can be resumed, but does not continue by itself until then. Does nothing to a run that has ended. */
  cancel(owner: Owner, id: string): Promise<Run> {
    return this.#changes.change(id, async () => {
      // Refused if it is damaged: the reply could not show what was done.
      await this.load(owner, id)
      await this.#cancel(owner, id)
      return this.find(owner, id)
    })
  }

  async #cancel(owner: Owner, id: string): Promise<void> {
    // Looked up before loading the run, which may end in between.
    const reading = this.#jobs.get(id)
    const run = await ownSummary(this.#options.store, owner, id)
    const job = reading ?? this.#jobs.get(id)
    if (job) await job.cancel()
    else if (run.state === 'running') throw readElsewhere(run)
    else if (run.state === 'unfinished' && !run.isDamaged) await this.#options.store.setFailure(id, cancelled)
  }

  /** Erases it, even while this server reads it. @throws RequestError 409 while another process reads it */
  async erase(owner: Owner, id: string): Promise<void> {
    await this.#changes.change(id, () => this.#cancel(owner, id))
    await this.remove(owner, id)
  }

  /** @throws RequestError 409 if it is finished, its files are gone, or a command began it; 429 */
  resume(owner: Owner, id: string): Promise<Run> {
    return this.#changes.change(id, async () => {
      const reading = this.#jobs.has(id)
      const run = await this.load(owner, id)
      if (run.state === 'finished') throw isFinished(id)
      if (!reading && !this.#jobs.has(id)) {
        if (run.state === 'running') throw readElsewhere(run)
        await this.#requireReadable(run)
        this.#options.admission.requireRoom(owner ?? everyone)
        await this.#options.store.setFailure(id, undefined)
        this.#begin(run)
      } else if (run.state === 'unfinished' && !goesOn(run)) {
        // It waits here, but another server has cancelled it meanwhile.
        await this.#options.store.setFailure(id, undefined)
      }
      return this.find(owner, id)
    })
  }

  /** @throws RequestError 409 while it is read, StoreError `store/run-of-session` */
  remove(owner: Owner, id: string): Promise<void> {
    return this.#changes.change(id, async () => {
      const reading = this.#jobs.has(id)
      const run = await ownSummary(this.#options.store, owner, id)
      if (reading || this.#jobs.has(id)) throw underWay(id)
      if (run.state === 'running') throw readElsewhere(run)
      await this.#options.store.remove(id)
      await removeTexts(this.#options.uploads, [run], this.#options.store)
    })
  }

  /** Whether a running or waiting run reads this file. */
  async reads(file: string): Promise<boolean> {
    const accepts = (run: RunSummary) =>
      (this.#jobs.has(run.id) || run.state === 'running' || goesOn(run)) &&
      settingsOf(run)?.files.some(({ id }) => id === file) === true
    for (const state of ['running', 'unfinished'] as const) {
      const [found] = await this.#options.store.list({ state, accepts, limit: 1 })
      if (found) return true
    }
    return false
  }

  /** The run as the store has it. @param id in full @throws StoreError `store/damaged` */
  load(owner: Owner, id: string): Promise<StoredRun> {
    return loadOwnRun(this.#options.store, owner, id)
  }

  /** The model for requests that name none. */
  get usualModel(): ServedModel {
    return servedModel(this.#options.models, undefined)
  }

  get store(): ReadableRuns & Pick<RunServiceOptions['store'], 'exportRun'> {
    return this.#options.store
  }

  /** Stops readings, which continue when a server is back. Followers end. */
  async close(): Promise<void> {
    this.#ending.abort()
    clearInterval(this.#takingUp)
    await Promise.all([...this.#jobs.values()].map((job) => job.interrupt()))
  }

  /** Once accepted, a run continues even if many are waiting. Leaves runs alone that are already being read. */
  #begin(run: Pick<StoredRun, 'id' | 'settings' | 'steps'>): void {
    const { admission, store, onFailure } = this.#options
    const { id } = run
    if (this.#jobs.has(id)) return
    const settings = settingsOf(run)!
    const job = new RunJob({
      id,
      owner: settings.owner,
      steps: run.steps,
      enter: (signal) => admission.enter(settings.owner ?? everyone, signal, true),
      open: async (self) => {
        const present = await store.load(id)
        return goesOn(present) ? prepareRun(present, settings, self, this.#options) : undefined
      },
      onRemarks: async (remarks) => {
        // Other programs may keep their own settings beside the server's.
        const { settings: present } = await store.load(id)
        const own = storedSettings({ ...settings, remarks: [...remarks] })
        await store.setSettings(id, { ...(present as object), ...(own as object) })
      },
      onUnread: (failure: RunFailure) => store.setFailure(id, failure),
      onFailure,
      onEnd: () => this.#jobs.delete(id),
    })
    this.#jobs.set(id, job)
  }

  #followed(id: string) {
    return {
      steps: this.#options.store.steps(id),
      job: () => this.#jobs.get(id),
      load: async () => this.view(await this.#options.store.load(id)),
    }
  }

  #until(signal: AbortSignal): AbortSignal {
    return AbortSignal.any([signal, this.#ending.signal])
  }

  async #requireReadable(run: Pick<StoredRun, 'id' | 'settings'>): Promise<void> {
    const settings = settingsOf(run)
    if (!settings) throw notOurs(run)
    const { uploads } = this.#options
    if (!this.#serves(settings.model)) throw notServed(run.id, settings.model)
    for (const { id, filename } of settings.files) {
      if (!(await uploads.has(id))) throw readsPaths(run) ? notOurs(run) : fileGone(filename)
    }
  }
}
