/** Looks up one run for its owner. To anybody else it does not exist, whole or damaged. */
import type { RunSummary, Store, StoredRun } from '@memagent/store'
import type { Owner } from '../safety/keys.ts'
import { noRun } from './run-errors.ts'
import { isOpenTo, isUnknownRun } from './run-settings.ts'

/** As the store has it. @param id in full @throws RequestError 404; StoreError `store/damaged` */
export async function loadOwnRun(
  store: Pick<Store, 'load' | 'summary'>,
  owner: Owner,
  id: string,
): Promise<StoredRun> {
  const run = await store.load(id).catch(async (error) => {
    await ownSummary(store, owner, id)
    throw error
  })
  return own(owner, id, run)
}

/** As a list has it, even if it is damaged. @param id in full @throws RequestError 404 */
export async function ownSummary(
  store: Pick<Store, 'summary'>,
  owner: Owner,
  id: string,
): Promise<RunSummary> {
  const run = await store.summary(id).catch((error) => {
    throw isUnknownRun(error) ? noRun(id) : error
  })
  return own(owner, id, run)
}

function own<Found extends RunSummary>(owner: Owner, id: string, run: Found): Found {
  if (run.id !== id || !isOpenTo(owner, run)) throw noRun(id)
  return run
}
