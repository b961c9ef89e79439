/** Merges reports: in parts if they do not fit together, and into the memory. */
import type { ChatResult } from '../../chat/chat.ts'
import { flawOf } from '../answer/response-flaw.ts'
import { fitted, wholeSentences } from '../cut-text.ts'
import { memoryShown, safeText } from '../memory-shown.ts'
import { saysNothingNew } from '../nothing-new.ts'
import { questionForPrompt } from '../question-shown.ts'
import { saysOnly } from '../rewritten-memory.ts'
import type { Conversation, ConversationTag, ReadingContext } from '../workflow.ts'
import { type Note, noteTokens, placeOfMerge, textOfNotes, withMerged } from './parallel-notes.ts'
import type { parallelPrompts } from './parallel-prompts.ts'
import type { ParallelState } from './parallel-state.ts'

type Context = ReadingContext<typeof parallelPrompts>

/** Replaces each group by one note. */
export async function mergeInParts(
  state: ParallelState,
  groups: readonly (readonly Note[])[],
  context: Context,
): Promise<ParallelState> {
  const maxTokens = noteTokens(context.budget)
  const conversations = await Promise.all(
    groups.map((group) => merging({ ...state, memory: '' }, group, maxTokens, context)),
  )
  const results = await context.chatAll(conversations)
  const merged: Note[] = []
  for (const [i, group] of groups.entries()) {
    const place = placeOfMerge(group)
    const { text } = await accepted(results[i]!, textOfNotes(group), conversations[i]!, place.step, context)
    merged.push({ ...place, text })
  }
  return { ...state, notes: withMerged(state.notes, groups, merged) }
}

/** The memory with all notes merged into it; they fit into one merge. */
export async function mergeIntoMemory(state: ParallelState, context: Context): Promise<string> {
  const conversation = await merging(state, state.notes, context.budget.memory, context)
  const result = await context.chat(conversation)
  const { memory: previous } = state
  const fallback = [previous, textOfNotes(state.notes)].filter((part) => part !== '').join('\n\n')
  const step = state.ordinal - 1
  const { text: memory, origin } = await accepted(result, fallback, conversation, step, context)
  context.emit({
    type: 'memory-end',
    step,
    memory,
    previous,
    changed: memory !== previous,
    origin,
    tokens: await context.countTokens(memory),
  })
  return memory
}

async function merging(
  { question, memory, pass, ordinal, steps }: ParallelState,
  notes: readonly Note[],
  maxTokens: number,
  context: Context,
): Promise<Conversation> {
  const { prompts, budget } = context
  const all = context.neutralize(textOfNotes(notes))
  const section = await context.truncate(all, budget.chunk)
  if (section !== all) warnOfLoss(ordinal - 1, context)
  const shown = await memoryShown({ memory, steps }, context)
  const parts = { memory: shown ?? prompts.text('emptyMemory', {}), section }
  const { step, level } = placeOfMerge(notes)
  return {
    messages:
      question === null
        ? prompts.messages('mergeNotes', parts)
        : prompts.messages('merge', { ...parts, question: await questionForPrompt(question, context) }),
    maxTokens,
    tag: { step, kind: 'merge', pass, slot: level },
  }
}

/** What a merge wrote, as prompts show it and within its limit. If it says nothing, as much of the fallback as fits. */
async function accepted(
  result: ChatResult,
  fallback: string,
  { maxTokens, tag }: Conversation,
  step: number,
  context: Context,
): Promise<{ readonly text: string; readonly origin: 'sampled' | 'kept' }> {
  const warn = (code: string, message: string, malformed?: ConversationTag) =>
    context.emit({ type: 'warning', step, code, message, ...(malformed && { malformed }) })
  const fitting = async (whole: string) => {
    const safe = safeText(whole, context).trim()
    const text = await fitted(safe, maxTokens, context)
    if (text !== safe) warnOfLoss(step, context)
    return text
  }
  const flaw = flawOf(result, maxTokens, step, context)
  const isCut = flaw?.kind === 'cut'
  const saysNothing =
    saysOnly(result.text, context.prompts.text('emptyMemory', {})) ||
    (!context.isTrained && saysNothingNew(result.text))
  const written = (!flaw || isCut) && !saysNothing ? await fitting(result.text) : ''
  if (written !== '') {
    if (!isCut) return { text: written, origin: 'sampled' }
    warn('memory-cut', 'A merge reached its token limit and was cut; a larger memory budget avoids this.')
    return { text: wholeSentences(written).trim(), origin: 'sampled' }
  }
  const problem = flaw && !isCut ? flaw.problem : 'says that there is nothing'
  const message = `Reports could not be merged, and are kept as far as there is room: the response ${problem}.`
  warn('merge-failed', message, tag)
  return { text: await fitting(fallback), origin: 'kept' }
}

function warnOfLoss(step: number, { emit }: Context): void {
  const message = 'The memory is full: a part of the reports did not fit; a larger memory budget avoids this.'
  emit({ type: 'warning', step, code: 'memory-full', message })
}
