import type { RunSummary } from '@memagent/store'
import { settingsOf } from '../runs/run-settings.ts'
import { Uploads } from './uploads.ts'

/**
 * Removes the texts that clients of a server gave with runs which are erased; files that they uploaded stay theirs.
 * @param folder of the server's uploads
 */
export async function removeTexts(
  folder: string,
  runs: readonly Pick<RunSummary, 'settings'>[],
): Promise<void> {
  const uploads = new Uploads(folder, Number.POSITIVE_INFINITY)
  const files = runs.flatMap((run) => settingsOf(run)?.files ?? [])
  for (const { id } of files) await uploads.removePasted(id)
}
