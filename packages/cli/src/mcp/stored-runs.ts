/** Runs in the store that clients may see: those whose texts all lie in the open folders. */
import { isAbsolute, resolve } from 'node:path'
import { type RunSummary, type Store, type StoredRun, StoreError, sessionName } from '@memagent/store'
import { settingsFrom } from '../run-store/run-settings.ts'
import { sessionOfRun } from '../sessions/session-settings.ts'
import type { AllowedFolders } from './allowed-folders.ts'

export class StoredRuns {
  readonly #store: Store
  readonly #folders: AllowedFolders

  constructor(store: Store, folders: AllowedFolders) {
    this.#store = store
    this.#folders = folders
  }

  /** @param id the whole id @throws StoreError if there is no such run, or it also read something else */
  async load(id: string): Promise<StoredRun> {
    const run = await this.#store.load(id).catch((error) => {
      const isUnknown = StoreError.isInstance(error) && /^store\/(no|ambiguous)-run$/.test(error.code)
      throw isUnknown ? noRun(id) : error
    })
    if (run.id === id && (await this.#isOpen(run))) return run
    // The same error as for a run that does not exist, to reveal nothing.
    throw noRun(id)
  }

  /**
   * @returns the name in the spelling that commands use, so that no other spelling passes
   * @throws StoreError for a session that also read something else; a missing session is no error
   */
  async checkSession(given: string): Promise<string> {
    const name = sessionName(given)
    // The command reports what is wrong with it.
    if (name === undefined) return given
    const session = await this.#store.sessions.find(name)
    if (session && !(await this.#isSessionOpen(name))) throw notOpen(name)
    return name
  }

  async #isOpen(run: RunSummary): Promise<boolean> {
    const session = sessionOfRun(run.settings)
    if (session !== undefined) return this.#isSessionOpen(session)
    const files = filesOf(run)
    return files !== undefined && this.#areOpen(files)
  }

  async #isSessionOpen(name: string): Promise<boolean> {
    const documents = await this.#store.sessions.documents(name)
    // Standard input has a name but no path.
    return (
      documents.every(({ input }) => input === undefined) && this.#areOpen(documents.map(({ path }) => path))
    )
  }

  async #areOpen(paths: readonly string[]): Promise<boolean> {
    if (paths.length === 0) return false
    for (const path of paths) {
      if (!isAbsolute(path) || !(await this.#folders.has(path))) return false
    }
    return true
  }
}

/** Undefined if they are unknown, or standard input is one of them. */
export function filesOf(run: Pick<StoredRun, 'id' | 'settings'>): readonly string[] | undefined {
  try {
    const { folder, files, input } = settingsFrom(run)
    return input === undefined && files.length > 0 ? files.map((file) => resolve(folder, file)) : undefined
  } catch (error) {
    if (StoreError.isInstance(error)) return undefined
    throw error
  }
}

const noRun = (id: string) =>
  new StoreError({ code: 'store/no-run', message: `There is no run ${id} of texts that are open here.` })

const notOpen = (name: string) =>
  new StoreError({
    code: 'mcp/session-not-open',
    message: `The session ${name} has read texts outside the folders that are open here.`,
    hint: 'Read into a session of another name.',
  })
