/** The run that a command takes if none is named. */
import { type RunStore, type RunSummary, StoreError } from '@memagent/store'
import { printable, type Terminal } from '../terminal.ts'
import { askedIn } from '../view/run-summary.ts'
import { cutToWidth } from '../view/text-width.ts'
import { isOfCommand } from './run-settings.ts'

/** Columns of the question in the note. */
const questionColumns = 100

/**
 * The run that a command without the name of one is about, which it says.
 * @param state of the run, which a command began @default any
 * @returns its id @throws StoreError `store/no-run`
 */
export async function latestRun(
  store: RunStore,
  { stderr }: Pick<Terminal, 'stderr'>,
  { state, quiet }: { readonly state?: 'unfinished'; readonly quiet?: boolean | undefined } = {},
): Promise<string> {
  const accepts = (run: RunSummary) => !run.isDamaged && (state === undefined || isOfCommand(run))
  const [run] = await store.list({ state, accepts, limit: 1 })
  if (!run) {
    throw new StoreError({
      code: 'store/no-run',
      message: state ? 'There is no unfinished run that a command began here.' : 'There is no run to show.',
      hint: 'All runs: memagent runs',
    })
  }
  const { id, document } = run
  const asked = cutToWidth(printable(askedIn(run)), questionColumns)
  if (!quiet)
    stderr.write(`The latest ${state ? `${state} ` : ''}run is ${id} (${printable(document)}): ${asked}\n`)
  return id
}
