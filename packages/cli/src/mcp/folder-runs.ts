/** Runs about files in open folders, whoever began them; those that begin here can be resumed by the command line as well. */
import { isDeepStrictEqual } from 'node:util'
import { canonicalJson } from '@memagent/core'
import {
  type AskedRun,
  type AskRequest,
  askOnce,
  type Fields,
  goesOn,
  type RunService,
  type ToolRuns,
  type WaitOptions,
  within,
} from '@memagent/server'
import type { Json, Store, StoredRun } from '@memagent/store'
import { changesOf, settingsFrom, settingsOf, storedSettings } from '../run-store/run-settings.ts'
import { sessionOfRun } from '../sessions/session-settings.ts'
import { filesOf, type StoredRuns } from './stored-runs.ts'

export interface FolderRunsOptions {
  readonly store: Store
  readonly stored: StoredRuns
  readonly service: RunService
  /** Loads the model, once. */
  readonly loadModel: () => Promise<void>
  /** Options of the readings. */
  readonly flags: object
}

export class FolderRuns implements ToolRuns {
  readonly #options: FolderRunsOptions

  constructor(options: FolderRunsOptions) {
    this.#options = options
  }

  async ask(request: AskRequest): Promise<AskedRun> {
    const { store, service, flags, loadModel } = this.#options
    await loadModel()
    const settings = storedSettings(await settingsOf(request.files, flags, undefined))
    // Until it is known by its settings: the same call again finds it by them.
    return service.inTurn(canonicalJson(settings), async () => {
      const asked = await askOnce(service, undefined, request, (id) => this.#isSame(id, settings))
      const run = await store.load(asked.id)
      if (filesOf(run) === undefined) {
        await store.setSettings(run.id, { ...(run.settings as object), ...(settings as object) } as Json)
      }
      return asked
    })
  }

  load(id: string): Promise<StoredRun> {
    return this.#options.stored.load(id)
  }

  /** One that was stopped with the program that read it goes on. */
  async wait(id: string, { ms, ...options }: WaitOptions): Promise<void> {
    const { stored, service } = this.#options
    const lateMs = performance.now() + ms
    if (goesOn(await stored.load(id)) && !(await within(ms, this.#resume(id)))) return
    await service.wait(undefined, id, { ...options, ms: Math.max(0, lateMs - performance.now()) })
  }

  async cancel(id: string): Promise<void> {
    await this.#options.service.cancel(undefined, id)
  }

  goOn(run: StoredRun): Fields {
    const tool = sessionOfRun(run.settings) === undefined ? 'ask_documents' : 'read_into_session'
    const next = `Call ${tool} with the same arguments again: it goes on where it stopped.`
    return { next, files: filesOf(run) }
  }

  async #resume(id: string): Promise<true> {
    const { service, loadModel } = this.#options
    await loadModel()
    await service.resume(undefined, id)
    return true
  }

  /** The same options, and the files are as they were. */
  async #isSame(id: string, now: Json): Promise<boolean> {
    const run = await this.#options.store.load(id)
    if (filesOf(run) === undefined) return false
    const before = settingsFrom(run)
    const { flags } = now as { readonly flags: object }
    return (
      isDeepStrictEqual(withoutCache(before.flags), withoutCache(flags)) &&
      (await changesOf(before)).length === 0
    )
  }
}

/** Where replies come from changes no reading. */
const withoutCache = (flags: object) =>
  Object.fromEntries(Object.entries(flags).filter(([name]) => name !== 'cache'))
