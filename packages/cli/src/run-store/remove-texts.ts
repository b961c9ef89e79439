import type { RunSummary, Store } from '@memagent/store'
import type { StorePlace } from './open-store.ts'

/** Removes the texts that clients gave a server for runs that are erased. */
export async function removeServerTexts(
  { uploads }: StorePlace,
  runs: readonly Pick<RunSummary, 'settings'>[],
  store: Pick<Store, 'list'>,
): Promise<void> {
  if (!runs.some(isOfServer)) return
  const { removeTexts } = await import('@memagent/server')
  await removeTexts(uploads, runs, store)
}

/** Removes the runs that asked this session over HTTP, before it is erased. @throws StoreError while one is answered */
export async function removeServerAsks(store: Store, session: string): Promise<void> {
  const [any] = await store.list({ accepts: isOfServer, limit: 1 })
  if (!any) return
  const { asksOfSession } = await import('@memagent/server')
  for (const { id } of await asksOfSession(store, session)) await store.remove(id)
}

const isOfServer = ({ settings }: Pick<RunSummary, 'settings'>): boolean =>
  settings instanceof Object && 'server' in settings
