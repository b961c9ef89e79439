/** A page of an owner's runs, the newest first. */
import type { RunSummary } from '@memagent/store'
import type { Run } from '@memagent/web'
import { badRequest } from '../request-error.ts'
import type { Owner } from '../safety/keys.ts'
import type { Surroundings } from './prepare-run.ts'
import { isOpenTo } from './run-settings.ts'

export interface RunFilter {
  readonly state?: Run['state'] | undefined
  /** Found in the question, or in the name of the document or model. */
  readonly text?: string | undefined
  readonly limit: number
  /** `next` of the previous page. */
  readonly before?: string | undefined
}

/** @throws RequestError 400 */
export async function listRuns(
  owner: Owner,
  { state, text, limit, before }: RunFilter,
  store: Surroundings['store'],
  view: (run: RunSummary) => Run,
): Promise<{ runs: Run[]; next?: string }> {
  const found = await store.list({
    text,
    // The store cannot tell runs that wait for a server from those that were stopped.
    ...(state === 'finished' && { state }),
    accepts: (run) => isOpenTo(owner, run) && (state === undefined || view(run).state === state),
    after: before === undefined ? undefined : placeOf(before),
    limit: limit + 1,
  })
  const runs = found.slice(0, limit)
  const last = runs.at(-1)
  return {
    runs: runs.map(view),
    ...(last && found.length > limit && { next: `${last.createdMs}-${last.id}` }),
  }
}

/** The position of the last run of a page, which need not exist any more. @throws RequestError 400 */
function placeOf(before: string): { readonly createdMs: number; readonly id: string } {
  const [, createdMs, id] = /^(\d{1,15})-([0-9a-f]{1,40})$/.exec(before) ?? []
  if (id === undefined) throw badRequest('before', 'takes `next` of the page before.')
  return { createdMs: Number(createdMs), id }
}
