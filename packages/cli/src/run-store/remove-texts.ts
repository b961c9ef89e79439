import type { RunSummary } from '@memagent/store'
import type { StorePlace } from './open-store.ts'

/** Removes what clients of a server gave to be read with runs that are erased. */
export async function removeServerTexts(
  { uploads }: StorePlace,
  runs: readonly Pick<RunSummary, 'settings'>[],
): Promise<void> {
  const isOfServer = runs.some(({ settings }) => settings instanceof Object && 'server' in settings)
  if (!isOfServer) return
  const { removeTexts } = await import('@memagent/server')
  await removeTexts(uploads, runs)
}
