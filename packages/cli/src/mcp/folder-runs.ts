/** Runs about files in open folders, whoever began them; the command line can also resume runs begun here. */
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
    // In turn until its settings are stored, so that the same call finds this run by them.
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

  /** Resumes a run that stopped with the program that read it. */
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

  /** Whether the options are the same and the files unchanged. */
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

/** The cache does not change what is read. */
const withoutCache = (flags: object) =>
  Object.fromEntries(Object.entries(flags).filter(([name]) => name !== 'cache'))
