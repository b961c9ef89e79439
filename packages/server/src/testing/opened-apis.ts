/** Clients of the run API over one store, opened anew for each test. */
import { type Hook, temporaryFolder } from '@memagent/core/testing'
import { openRunStore, type Store } from '@memagent/store'
import type { AppOptions } from '../app.ts'
import type { ServedModel } from '../served-model.ts'
import { apiOf, noter, servedModel } from './served.ts'

/** The hooks open and close the store, and the servers over it: `openedApis(beforeEach, afterEach)`. */
export function openedApis(before: Hook, after: Hook) {
  const folder = temporaryFolder(before, after)
  const opened: ReturnType<typeof apiOf>[] = []
  let store: Store
  before(async () => {
    store = await openRunStore(`${folder.path}/runs.sqlite`)
  })
  after(async () => {
    await Promise.all(opened.splice(0).map(({ runs }) => runs.close()))
    await store.close()
  })
  return {
    folder,
    get store() {
      return store
    },
    /** @param headers sent with every request */
    open(
      models: readonly ServedModel[] = [servedModel(noter)],
      more: Partial<AppOptions> = {},
      headers: Record<string, string> = {},
    ) {
      const api = apiOf(models, { store, uploads: `${folder.path}/uploads`, ...more }, headers)
      opened.push(api)
      return api
    },
  }
}
