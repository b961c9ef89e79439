/** Decides whether a reading is kept, and opens its store. Loads the store only then. */
import { MemAgentError } from '@memagent/core'
import type { Terminal } from '../terminal.ts'
import type { ProgressView } from '../view/progress.ts'
import type { KeptRun, RunRequest } from './kept-run.ts'

/**
 * Undefined if no run is kept: it is not wanted, a checkpoint file replaces it, or there is no place for it, which the view
 * notes.
 * @throws StoreError when the store cannot be used, before anything is paid for
 */
export async function keepRun(
  request: RunRequest & { readonly flags: { readonly checkpoint?: string } },
  terminal: Terminal,
  view: ProgressView | undefined,
): Promise<KeptRun | undefined> {
  const { store: path, checkpoint } = request.flags
  if (path === false || checkpoint !== undefined) return undefined
  const { storePlace } = await import('./open-store.ts')
  const place = await storePlace(request.flags, terminal)
  if (!place) {
    view?.note('This run is not kept: the environment names no folder for data (XDG_DATA_HOME, HOME).')
    return undefined
  }
  const { openRunStore } = await import('@memagent/store')
  try {
    const store = await openRunStore(place.path)
    return new (await import('./kept-run.ts')).KeptRun(store, place, request, view)
  } catch (error) {
    if (!place.isDefault || !MemAgentError.isInstance(error) || error.code !== 'store/no-sqlite') throw error
    view?.note(`This run is not kept: ${error.message}`)
    return undefined
  }
}
