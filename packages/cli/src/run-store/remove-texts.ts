import type { RunSummary, Store } from '@memagent/store'
import type { StorePlace } from './open-store.ts'

/** Removes what clients of a server gave to be read with runs that are erased. */
export async function removeServerTexts(
  { uploads }: StorePlace,
  runs: readonly Pick<RunSummary, 'settings'>[],
  store: Pick<Store, 'list'>,
): Promise<void> {
  if (!runs.some(isOfServer)) return
  const { removeTexts } = await import('@memagent/server')
  await removeTexts(uploads, runs, store)
}

/** Removes the runs that asked a session over HTTP, which is to be erased. @throws StoreError while one is answered */
export async function removeServerAsks(store: Store, session: string): Promise<void> {
  const [any] = await store.list({ accepts: isOfServer, limit: 1 })
  if (!any) return
  const { asksOfSession } = await import('@memagent/server')
  for (const { id } of await asksOfSession(store, session)) await store.remove(id)
}

const isOfServer = ({ settings }: Pick<RunSummary, 'settings'>): boolean =>
  settings instanceof Object && 'server' in settings
