/** Shared by the session commands that make no call. */
import { type CallUsage, costOf as priceOf, type ReadingStart, workflowNamed } from '@memagent/core'
import type { SessionReading, SessionSummary } from '@memagent/store'
import { type LimitFlags, pricesOf } from '../commands/limit-options.ts'
import { chooseWorkflow, type ReadingFlags } from '../commands/reading-options.ts'

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
  const prices = pricesOf(flags)
  return prices && !tokens.unreportedCalls ? priceOf(tokens, prices) : undefined
}
