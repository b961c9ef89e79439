/** Asks for edits, and judges what comes: a response that is empty, a refusal, cut by its limit or not in the grammar has none. */
import type { ChatResult } from '../chat/chat.ts'
import type { Message } from '../chat/message.ts'
import { type Edit, type Line, parseEdits } from './edit-grammar.ts'
import { readsAsRefusal } from './refusal.ts'
import type { ConversationTag, ReadingContext } from './workflow.ts'

/**
 * What a text is in the memory: unable to close its section, whatever other lines hold. So it is the same in every prompt.
 */
export const safeText = (text: string, { neutralize }: Pick<ReadingContext, 'neutralize'>): string =>
  neutralize(`${text} >`).slice(0, -2)

/** The edits of a response; undefined, with a warning, where it has none. */
export async function requestEdits(
  messages: readonly Message[],
  shown: readonly Line[],
  tag: ConversationTag,
  context: ReadingContext,
): Promise<readonly Edit[] | undefined> {
  const maxTokens = context.budget.memory
  const result = await context.chat({ messages, maxTokens, tag })
  const flaw = flawOf(result, maxTokens)
  const parsed = flaw ? { problem: flaw.problem } : parseEdits(result.text, shown)
  if ('edits' in parsed) {
    return parsed.edits.map((edit) =>
      edit.type === 'drop' ? edit : { ...edit, text: safeText(edit.text, context) },
    )
  }
  const isUpdate = tag.kind === 'update'
  context.emit({
    type: 'warning',
    step: tag.step,
    code: isUpdate ? (flaw?.code ?? 'edits-malformed') : 'consolidation-failed',
    message: isUpdate
      ? `The edits cannot be used, and the previous memory is kept: ${parsed.problem}.`
      : `The memory is over its budget and could not be consolidated: ${parsed.problem}.`,
    malformed: tag,
  })
  return undefined
}

/** Why a response is not even looked into. */
function flawOf({ text, reasoning, finishReason, usage }: ChatResult, maxTokens: number) {
  if (finishReason.unified === 'refusal' || readsAsRefusal(text))
    return { code: 'memory-refused', problem: 'the response is a refusal' }
  if (text.trim() === '')
    return {
      code: 'memory-empty',
      problem: reasoning === undefined ? 'the response is empty' : 'the response ended inside its reasoning',
    }
  // Some servers give no reason, or another one.
  const isFull = finishReason.unified !== 'stop' && (usage?.completionTokens ?? 0) >= maxTokens
  if (finishReason.unified === 'length' || isFull)
    return { code: 'edits-cut', problem: 'the response reached its token limit' }
  return undefined
}
