import { type RunStore, type RunSummary, StoreError } from '@memagent/store'
import { printable, type Terminal } from '../terminal.ts'
import { storeArgument } from './open-store.ts'
import type { StoreFlags } from './store-option.ts'

/** Runs of servers go on there. */
const isOfCommand = ({ settings }: RunSummary): boolean =>
  settings instanceof Object && !('server' in settings || 'conversation' in settings)

/**
 * The run that a command without the name of one is about, which it says.
 * @param state of the run, which a command began @default any
 * @returns its id @throws StoreError `store/no-run`
 */
export async function latestRun(
  store: RunStore,
  flags: StoreFlags & { readonly quiet?: boolean },
  { stderr }: Pick<Terminal, 'stderr'>,
  state?: 'unfinished',
): Promise<string> {
  const accepts = (run: RunSummary) => !run.isDamaged && (state === undefined || isOfCommand(run))
  const [run] = await store.list({ state, accepts, limit: 1 })
  if (!run) {
    throw new StoreError({
      code: 'store/no-run',
      message: state ? `There is no ${state} run.` : 'There is no run yet.',
      hint: `They are listed by: memagent runs${storeArgument(flags)}`,
    })
  }
  const { id, question, document } = run
  const about = question === undefined ? document : `${question} (${document})`
  if (!flags.quiet) stderr.write(`The latest ${state ? `${state} ` : ''}run is ${id}: ${printable(about)}\n`)
  return id
}
