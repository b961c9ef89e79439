/** What prompts show of memories. */
import type { Message } from '../chat/message.ts'
import { fitted } from './cut-text.ts'
import { warnOfLongStart } from './start-memory.ts'
import type { ReadingContext } from './workflow.ts'

/**
 * A memory of one text, as prompts show it; null if there is none. A memory that the reading began with may be over the budget:
 * what does not fit is left out, with a warning.
 */
export async function memoryShown(
  { memory, steps }: { readonly memory: string | null; readonly steps: number },
  context: ReadingContext,
): Promise<string | null> {
  if (!memory) return null
  const shown = await fitted(memory, context.budget.memory, context)
  if (shown !== context.neutralize(memory)) warnOfLongStart(steps, context)
  return shown || null
}

interface MemoryPrompt {
  readonly messagesWith: (memory: string) => readonly Message[]
  readonly maxTokens: number
  readonly step: number
  /** As much of the memory as fits in `most` tokens. @default its first sentences */
  readonly within?: ((most: number) => Promise<string>) | undefined
}

/**
 * A memory for the prompt of a response. A server may count fewer tokens than the reader estimates: if a memory is over its
 * budget by an estimate only, as much of it is shown as the window has room for. Leaving out any of it is reported as a warning.
 */
export async function memoryInPrompt(
  memory: string,
  { messagesWith, maxTokens, step, within }: MemoryPrompt,
  context: ReadingContext,
): Promise<string> {
  const { budget, estimatesTokens } = context
  const whole = context.neutralize(memory.trim())
  const cut = within ?? ((most) => fitted(whole, most, context))
  const tokens = await context.countTokens(whole)
  if (tokens <= budget.memory) return whole
  let most = estimatesTokens ? tokens : budget.memory
  let shown = await cut(most)
  // The whole prompt may have fewer or more tokens than its parts together.
  while (most > budget.memory) {
    const excess = maxTokens - (await context.roomBeside(messagesWith(shown)))
    if (excess <= 0) break
    most = Math.max(budget.memory, most - excess)
    shown = await cut(most)
  }
  if (shown === whole) return whole
  const message =
    'The memory is over its budget, and the prompt has no room for all of it; a larger memory budget avoids this.'
  context.emit({ type: 'warning', step, code: 'memory-cut', message })
  return shown
}

/**
 * A text as it stands in the memory: unable to close its section, whatever other lines hold and whether any follow, so it is the
 * same in every prompt.
 */
export const safeText = (text: string, { neutralize }: Pick<ReadingContext, 'neutralize'>): string =>
  neutralize(neutralize(`${text} >`).slice(0, -2))
