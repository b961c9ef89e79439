import type { RunStore, RunSummary } from '@memagent/store'
import { settingsOf } from '../runs/run-settings.ts'
import { Uploads } from './uploads.ts'

/**
 * Removes the texts that came with erased runs, unless another run reads them too; files that clients manage are kept.
 * @param uploads the server's, or their folder @param runs already erased @param store that they were in
 */
export async function removeTexts(
  uploads: Uploads | string,
  runs: readonly Pick<RunSummary, 'settings'>[],
  store: Pick<RunStore, 'list'>,
): Promise<void> {
  const kept = typeof uploads === 'string' ? new Uploads(uploads, Number.POSITIVE_INFINITY) : uploads
  const files = new Set(runs.flatMap(filesOf))
  if (files.size === 0) return
  const others = await store.list({ accepts: (run) => filesOf(run).some((file) => files.has(file)) })
  const read = new Set(others.flatMap(filesOf))
  for (const file of files) if (!read.has(file)) await kept.removeOfRuns(file)
}

/** Ids of the files that a run of a server reads. */
export const filesOf = (run: Pick<RunSummary, 'settings'>): readonly string[] =>
  settingsOf(run)?.files.map(({ id }) => id) ?? []
