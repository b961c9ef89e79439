/** Reads a batch of chunks, each against the shared memory, and collects their reports. */
import type { ChatResult } from '../../chat/chat.ts'
import type { Chunk } from '../../chunking/chunker.ts'
import { flawOf } from '../answer/response-flaw.ts'
import { fitted, wholeSentences } from '../cut-text.ts'
import { memoryShown, safeText } from '../memory-shown.ts'
import { questionForPrompt } from '../question-shown.ts'
import type { ConversationTag, ReadingContext } from '../workflow.ts'
import { type Note, noteTokens } from './parallel-notes.ts'
import type { parallelPrompts } from './parallel-prompts.ts'
import type { ParallelState } from './parallel-state.ts'
import { parseReport } from './report-grammar.ts'

type Context = ReadingContext<typeof parallelPrompts>

/** The state with the news of these chunks added. They must be the next ones, in order. */
export async function readReports(
  state: ParallelState,
  chunks: readonly Chunk[],
  context: Context,
): Promise<ParallelState> {
  const { pass, ordinal } = state
  const { prompts, budget } = context
  const question = state.question === null ? undefined : await questionForPrompt(state.question, context)
  const memory = (await memoryShown(state, context)) ?? prompts.text('emptyMemory', {})
  const conversations = chunks.map((chunk, i) => {
    const parts = { memory, section: context.neutralize(chunk.text) }
    return {
      messages:
        question === undefined
          ? prompts.messages('reportNotes', parts)
          : prompts.messages('report', { ...parts, question }),
      maxTokens: noteTokens(budget),
      tag: { step: ordinal + i, kind: 'report', pass },
      // Most sections bring no news.
      draft: 'no',
    }
  })
  const results = await context.chatAll(conversations)
  const notes: Note[] = [...state.notes]
  for (const [i, { tag }] of conversations.entries()) {
    const text = await newsIn(results[i]!, tag, state.memory, context)
    if (text !== undefined) notes.push({ step: tag.step, level: 0, text })
  }
  const [read, steps] = [ordinal + chunks.length, state.steps + chunks.length]
  return { ...state, notes, ordinal: read, steps }
}

/** The news as prompts show it. Undefined if there is none, and with a warning if the response cannot be used. */
async function newsIn(
  result: ChatResult,
  tag: ConversationTag,
  memory: string,
  context: Context,
): Promise<string | undefined> {
  const { step } = tag
  const maxTokens = noteTokens(context.budget)
  const flaw = flawOf(result, maxTokens, step, context)
  const isCut = flaw?.kind === 'cut'
  const report = flaw && !isCut ? flaw : parseReport(result.text)
  // A cut response with only a verdict may have been about to go on.
  if ('problem' in report || (isCut && report.news === undefined)) {
    const problem = isCut ? flaw.problem : 'problem' in report ? report.problem : ''
    context.emit({
      type: 'warning',
      step,
      code: 'report-malformed',
      message: `The report on a section cannot be used, and its news, if it has any, are not noted: the response ${problem}.`,
      malformed: tag,
    })
    const tokens = memory === '' ? 0 : await context.countTokens(memory)
    context.emit({
      type: 'memory-end',
      step,
      memory,
      previous: memory,
      changed: false,
      origin: 'kept',
      tokens,
    })
    return undefined
  }
  if (report.news === undefined) return undefined
  const news = safeText(isCut ? wholeSentences(report.news) : report.news, context).trim()
  const text = await fitted(news, maxTokens, context)
  if (isCut || text !== news) {
    const message = 'A report reached its token limit and was cut; a larger memory budget avoids this.'
    context.emit({ type: 'warning', step, code: 'report-cut', message })
  }
  return text === '' ? undefined : text
}
