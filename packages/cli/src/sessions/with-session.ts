/** Shared by the session commands that make no call. */
import { type CallUsage, costOf as priceOf, type ReadingStart, workflowNamed } from '@memagent/core'
import type { SessionReading, SessionSummary, Store } from '@memagent/store'
import type { LimitFlags } from '../commands/limit-options.ts'
import { chooseWorkflow, type ReadingFlags } from '../commands/reading-options.ts'
import { exitCodes, report } from '../failures.ts'
import { namingStore, openStore, type StorePlace } from '../run-store/open-store.ts'
import type { StoreFlags } from '../run-store/store-option.ts'
import type { Terminal } from '../terminal.ts'

/** @returns the exit code */
export async function withStore(
  flags: StoreFlags & { readonly json?: boolean },
  terminal: Terminal,
  work: (store: Store, place: StorePlace) => Promise<void>,
): Promise<number> {
  try {
    const { store, place } = await openStore(flags, terminal)
    await work(store, place).finally(() => store.close())
    return exitCodes.ok
  } catch (error) {
    return report(namingStore(error, flags), terminal, { json: flags.json ?? false })
  }
}

/** The memory as people read it. */
export async function memoryText(
  { workflow, settings }: SessionSummary,
  start: ReadingStart,
): Promise<string> {
  const { flags } = (settings ?? {}) as { readonly flags?: ReadingFlags }
  const chosen =
    flags?.workflow === undefined ? undefined : await chooseWorkflow({ workflow: flags.workflow })
  return (chosen?.workflow ?? (await workflowNamed(workflow))).memory(start.state)
}

/** The cost of a reading's calls, if their prices and tokens are known. */
export function costOf({ settings }: SessionReading, tokens: CallUsage): number | undefined {
  const { flags = {} } = (settings ?? {}) as { readonly flags?: LimitFlags }
  const { priceIn, priceOut, priceCached } = flags
  if ((priceIn === undefined && priceOut === undefined) || tokens.unreportedCalls) return undefined
  return priceOf(tokens, { prompt: priceIn ?? 0, completion: priceOut ?? 0, cachedPrompt: priceCached })
}
