/** What prompts show of memories. */
import type { Message } from '../chat/message.ts'
import { fitted } from './cut-text.ts'
import { warnOfLongStart } from './start-memory.ts'
import type { ReadingContext } from './workflow.ts'

/**
 * A memory of one text, as it stands in prompts; null where there is none. One that a reading began with may be over the
 * budget: what does not fit is left out, with a warning.
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
  /** Of the response. */
  readonly maxTokens: number
  readonly step: number
  /** As much of the memory as so many tokens hold. @default its first sentences */
  readonly within?: ((most: number) => Promise<string>) | undefined
}

/**
 * A memory in the prompt for a response. A server may count fewer tokens than the reader estimates: where a memory is over its
 * budget by an estimate alone, as much of it is shown as the window has room for. What is left out is told as a warning.
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
  // Parts of a prompt may have other counts than the whole.
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
 * What a text is in the memory: unable to close its section, whatever other lines hold and whether any follow. So it is the
 * same in every prompt.
 */
export const safeText = (text: string, { neutralize }: Pick<ReadingContext, 'neutralize'>): string =>
  neutralize(neutralize(`${text} >`).slice(0, -2))
