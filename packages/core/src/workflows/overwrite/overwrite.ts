/**
 * MemAgent's workflow (arXiv 2507.02259): after each chunk the whole memory is rewritten; the answer is written from
 * the last memory alone.
 *
 * A rewrite never destroys the memory silently. An empty response or a refusal keeps the previous memory; a response
 * that ran into the token limit is taken up to its last whole sentence or line; both are reported as warnings and the
 * former is counted. When nothing was noted by the end, the answer is that the text does not answer, without a call;
 * otherwise there is one call a chunk and one for the answer, or two where the first gives none (`final-answer.ts`).
 */
import { aCount, aText, nullable, objectOf } from '../../json-shape.ts'
import { askForAnswer } from '../answer/final-answer.ts'
import { questionForPrompt } from '../question-shown.ts'
import { acceptMemory, saysOnly } from '../rewritten-memory.ts'
import type { Answer, ReadingContext, Workflow } from '../workflow.ts'
import { overwritePrompts } from './overwrite-prompts.ts'

export type OverwriteState = {
  readonly question: string | null
  /** As sampled; null while nothing is noted, which prompts show as their empty memory. */
  readonly memory: string | null
  readonly steps: number
}

const stateShape = objectOf<OverwriteState>({
  question: nullable(aText),
  memory: nullable(aText),
  steps: aCount,
})

export const overwrite: Workflow<OverwriteState, typeof overwritePrompts> = {
  name: 'overwrite',
  prompts: overwritePrompts,
  init: (question) => ({ question: question ?? null, memory: null, steps: 0 }),
  isState: (value, { question, steps, endedEarly = false }): value is OverwriteState =>
    !endedEarly &&
    stateShape(value, '') === undefined &&
    (value as OverwriteState).question === (question ?? null) &&
    (value as OverwriteState).steps === steps,
  memory: (state) => state.memory?.trim() ?? '',
  unchanged: (state) => ({ ...state, steps: state.steps + 1 }),
  withMemory: (state, memory) => ({ ...state, memory: memory.trim() === '' ? null : memory }),

  async read(state, chunk, context) {
    const { prompts, budget } = context
    const emptyMemory = prompts.text('emptyMemory', {})
    const previous = state.memory ?? emptyMemory
    const memory = await memoryForPrompt(previous, context)
    const parts = { memory, section: context.neutralize(chunk.text) }
    const result = await context.chat({
      messages:
        state.question === null
          ? prompts.messages('note', parts)
          : prompts.messages('update', {
              ...parts,
              question: await questionForPrompt(state.question, context),
            }),
      maxTokens: budget.memory,
      tag: { step: state.steps, kind: 'update' },
      draft: prompts.text('draft', { memory }),
    })
    const { text, origin } = acceptMemory(
      result,
      { previous, maxTokens: budget.memory, step: state.steps },
      context,
    )
    const isWhole = text === result.text && result.reasoning === undefined
    const isEmpty = saysOnly(text, emptyMemory)
    const after = isEmpty ? '' : text.trim()
    const before = state.memory?.trim() ?? ''
    context.emit({
      type: 'memory-end',
      step: state.steps,
      memory: after,
      previous: before,
      changed: after !== before,
      origin,
      tokens: (isWhole ? result.usage?.completionTokens : undefined) ?? (await context.countTokens(text)),
    })
    return { state: { ...state, memory: isEmpty ? null : text, steps: state.steps + 1 } }
  },

  async answer(state, question, context): Promise<Answer> {
    if (state.memory === null) return { text: '', outcome: 'not-found' }
    const { prompts } = context
    const messages = prompts.messages('answer', {
      question: await questionForPrompt(question, context),
      memory: await memoryForPrompt(state.memory, context),
    })
    return askForAnswer(messages, state.steps, context)
  },
}

/** Cut to its budget, as it appears in the prompt. */
const memoryForPrompt = (memory: string, context: ReadingContext): Promise<string> =>
  context.truncate(context.neutralize(memory.trim()), context.budget.memory)
