/** What prompts show of memories. */
import { warnOfLongStart } from './start-memory.ts'
import type { ReadingContext } from './workflow.ts'

/**
 * A memory of one text, as it stands in prompts; null where there is none. One that a reading began with may be over the
 * budget: what does not fit is left out, with a warning.
 */
export async function memoryShown(
  { memory }: { readonly memory: string | null },
  context: ReadingContext,
): Promise<string | null> {
  if (memory === null) return null
  const shown = await fitted(memory, context.budget.memory, context)
  if (shown !== context.neutralize(memory)) warnOfLongStart(context)
  return shown || null
}

/** As much of a text as fits, as prompts show it. */
export async function fitted(
  text: string,
  most: number,
  { neutralize, truncate }: Pick<ReadingContext, 'neutralize' | 'truncate'>,
): Promise<string> {
  let shown = (await truncate(neutralize(text), most)).trim()
  // What was cut may have kept a tag from being one.
  while (neutralize(shown) !== shown) shown = (await truncate(neutralize(shown), most)).trim()
  return shown
}

/**
 * What a text is in the memory: unable to close its section, whatever other lines hold and whether any follow. So it is the
 * same in every prompt.
 */
export const safeText = (text: string, { neutralize }: Pick<ReadingContext, 'neutralize'>): string =>
  neutralize(neutralize(`${text} >`).slice(0, -2))
