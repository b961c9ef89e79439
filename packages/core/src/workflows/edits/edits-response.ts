/** Asks for edits. A response that is empty, a refusal, cut by its limit or not in the grammar has none. */
import type { ChatResult } from '../../chat/chat.ts'
import type { Message } from '../../chat/message.ts'
import { flawOf, type ResponseFlaw } from '../answer/response-flaw.ts'
import { safeText } from '../memory-shown.ts'
import type { ConversationTag, ReadingContext } from '../workflow.ts'
import { type Edit, type Line, parseEdits, renderEdits } from './edit-grammar.ts'

/** The edits of a response; undefined, with a warning, if it has none. */
export async function requestEdits(
  messages: readonly Message[],
  shown: readonly Line[],
  tag: ConversationTag,
  context: ReadingContext,
): Promise<readonly Edit[] | undefined> {
  const maxTokens = context.budget.memory
  const isUpdate = tag.kind === 'update'
  const result = await context.chat({
    messages,
    maxTokens,
    tag,
    // Most sections bring no news. A memory over its budget must change, so no draft for it.
    draft: isUpdate ? renderEdits([]) : undefined,
  })
  const parsed = editsOf(result, shown, tag.step, context)
  if ('edits' in parsed) return parsed.edits
  context.emit({
    type: 'warning',
    step: tag.step,
    code: isUpdate ? codeOf(parsed.flaw) : 'consolidation-failed',
    message: isUpdate
      ? `The edits cannot be used, and the previous memory is kept: ${parsed.problem}.`
      : `The memory is over its budget and could not be consolidated: ${parsed.problem}.`,
    malformed: tag,
  })
  return undefined
}

/** The edits in a response, or why it cannot be used. */
export function editsOf(
  result: ChatResult,
  shown: readonly Line[],
  step: number,
  context: ReadingContext,
): { readonly edits: readonly Edit[] } | { readonly problem: string; readonly flaw?: ResponseFlaw } {
  const flaw = flawOf(result, context.budget.memory, step, context)
  if (flaw) return { problem: `the response ${flaw.problem}`, flaw }
  const parsed = parseEdits(result.text, shown)
  if ('problem' in parsed) return parsed
  return {
    edits: parsed.edits.map((edit) =>
      edit.type === 'drop' ? edit : { ...edit, text: safeText(edit.text, context) },
    ),
  }
}

function codeOf(flaw: ResponseFlaw | undefined): string {
  if (flaw === undefined) return 'edits-malformed'
  return flaw.kind === 'cut' ? 'edits-cut' : `memory-${flaw.kind}`
}
