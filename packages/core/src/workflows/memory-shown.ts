/** What a prompt shows of a memory that is one text. */
import { warnOfLongStart } from './start-memory.ts'
import type { ReadingContext } from './workflow.ts'

/**
 * The memory as it stands in prompts; null where there is none. One that a reading began with may be over the budget: what does
 * not fit is left out, with a warning.
 */
export async function memoryShown(
  { memory }: { readonly memory: string | null },
  { neutralize, truncate, budget, emit }: ReadingContext,
): Promise<string | null> {
  if (memory === null) return null
  const safe = neutralize(memory)
  let shown = (await truncate(safe, budget.memory)).trim()
  // What was cut may have kept a tag from being one.
  while (neutralize(shown) !== shown) shown = (await truncate(neutralize(shown), budget.memory)).trim()
  if (shown !== safe) warnOfLongStart({ emit })
  return shown || null
}
