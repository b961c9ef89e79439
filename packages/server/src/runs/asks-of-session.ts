import type { RunStore, RunSummary } from '@memagent/store'
import { settingsOf } from './run-settings.ts'

/** Runs that asked the memory of a session over HTTP, and so hold its content. @param name in the store */
export const asksOfSession = (store: Pick<RunStore, 'list'>, name: string): Promise<readonly RunSummary[]> =>
  store.list({ accepts: (run) => settingsOf(run)?.asksSession === name })
