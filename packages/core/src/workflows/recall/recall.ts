/**
 * ReMemR1's workflow (arXiv 2509.23040): the memory is rewritten after each chunk and old memories go into a log. A response may
 * look one of them up, which is shown beside the memory at the next step, or for the answer.
 *
 * One function looks memories up. It is called once per response, after the memory that was replaced is logged; the new memory is
 * never found, since it is in the prompt anyway. A memory is not logged if its successor has all of its words in the same order:
 * a later one says the same. So training, evaluation and a resumed reading find the same.
 *
 * Only the content of `<update>` becomes the memory. A response that is empty, a refusal, cut by its limit or malformed changes
 * nothing, not even what is recalled; it is counted and reported as a warning. If nothing is noted by the end, the answer is that
 * the text does not answer, without a call.
 */
import { aCount, aText, nullable } from '../../json-shape.ts'
import { wordsOf } from '../../retrieval/search-terms.ts'
import { answerFromMemory } from '../answer/answer-from-memory.ts'
import { fitted } from '../cut-text.ts'
import { memoryShown } from '../memory-shown.ts'
import { saysNothingNew } from '../nothing-new.ts'
import { questionForPrompt } from '../question-shown.ts'
import { saysOnly } from '../rewritten-memory.ts'
import { stateCheck } from '../state-check.ts'
import type { MemoryLog, ReadingContext, Workflow } from '../workflow.ts'
import { recallPrompts } from './recall-prompts.ts'
import { requestRewrite, type WrittenMemory } from './recall-response.ts'

export type RecallState = {
  readonly question: string | null
  /** As prompts show it; null while nothing is noted. */
  readonly memory: string | null
  /** Log entry that is shown beside the memory. */
  readonly recalled: number | null
  readonly steps: number
}
type Context = ReadingContext<typeof recallPrompts>

export const recall: Workflow<RecallState, typeof recallPrompts> = {
  name: 'recall',
  prompts: recallPrompts,
  init: (question) => ({ question: question ?? null, memory: null, recalled: null, steps: 0 }),
  isState: stateCheck<RecallState>(
    { memory: nullable(aText), recalled: nullable(aCount) },
    ({ memory, recalled, steps }, { memories = steps }) =>
      (memory === null || (memory !== '' && memory === memory.trim())) &&
      // A step logs at most one memory.
      memories <= steps &&
      (recalled === null || recalled < memories),
  ),
  memory: (state) => state.memory ?? '',
  withMemory: (state, memory) => ({ ...state, memory: memory.trim() || null }),

  async read(state, chunk, context) {
    const { steps: step } = state
    const { prompts } = context
    const before = { ...state, memory: await memoryShown(state, context) }
    const parts = { ...(await partsOf(before, context)), section: context.neutralize(chunk.text) }
    const written = await requestRewrite(
      state.question === null
        ? prompts.messages('note', parts)
        : prompts.messages('update', {
            ...parts,
            question: await questionForPrompt(state.question, context),
          }),
      { step, kind: 'update' },
      (memory) => before.memory !== null && !context.isTrained && saysNothing(memory, context),
      context,
    )
    const next = { ...(written ? await rewritten(before, written, context) : before), steps: step + 1 }
    const [memory, previous] = [recall.memory(next), recall.memory(state)]
    context.emit({
      type: 'memory-end',
      step,
      memory,
      previous,
      changed: memory !== previous,
      origin: written ? 'sampled' : 'kept',
      tokens: memory === '' ? 0 : await context.countTokens(memory),
      recall: { query: written?.query, memory: await recalledText(next, context) },
    })
    return { state: next }
  },

  async answer(state, question, context) {
    if (state.memory === null && state.recalled === null) return { text: '', outcome: 'not-found' }
    const { memory, recalled } = await partsOf(state, context)
    return answerFromMemory(memory, { question, steps: state.steps, parts: { recalled } }, context)
  },
}

async function rewritten(
  state: RecallState,
  { memory: text, query }: WrittenMemory,
  context: Context,
): Promise<RecallState> {
  const { memoryLog, emit } = context
  const { memory: previous, steps: step } = state
  const memory = saysNothing(text, context) ? null : text
  if (previous !== null && losesWords(previous, memory ?? '')) {
    await memoryLog.append({ step, text: previous })
    if (memoryLog.first > 0) {
      const message = `The log of old memories is full: the oldest ${memoryLog.first} cannot be recalled any more.`
      emit({ type: 'warning', step, code: 'memories-forgotten', message })
    }
  }
  return { ...state, memory, recalled: query === undefined ? null : await found(query, memory, memoryLog) }
}

const saysNothing = (memory: string, { prompts }: Context): boolean =>
  saysOnly(memory, prompts.text('emptyMemory', {})) || saysNothingNew(memory)

/** Whether the new memory lacks some of the words, or has them in another order, which may change who gave what to whom. */
function losesWords(before: string, after: string): boolean {
  const lost = wordsOf(before)[Symbol.iterator]()
  let next = lost.next()
  for (const word of wordsOf(after)) if (word === next.value) next = lost.next()
  return !next.done
}

/** The old memory with most of the query's words, the newest of equals; never the one that is in the prompt anyway. */
async function found(query: string, memory: string | null, log: MemoryLog): Promise<number | null> {
  for (const index of await log.search(query)) {
    if ((await log.get(index)).text !== memory) return index
  }
  return null
}

const recalledText = async (
  { recalled }: RecallState,
  { memoryLog }: Context,
): Promise<string | undefined> => (recalled === null ? undefined : (await memoryLog.get(recalled)).text)

/** Like a state, a log comes from a file, so its entries are made fit for a prompt again. */
async function partsOf(state: RecallState, context: Context) {
  const { prompts, budget, truncate } = context
  const old = await recalledText(state, context)
  const recalled =
    old === undefined
      ? await truncate(prompts.text('nothingRecalled', {}), budget.memory)
      : await fitted(old, budget.memory, context)
  if (old !== undefined && recalled !== context.neutralize(old)) {
    const message = 'The recalled memory is over its budget and was cut; a larger memory budget avoids this.'
    context.emit({ type: 'warning', step: state.steps, code: 'memory-cut', message })
  }
  return {
    memory: state.memory ?? (await truncate(prompts.text('emptyMemory', {}), budget.memory)),
    recalled,
  }
}
