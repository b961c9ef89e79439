/**
 * MemAgent's workflow (arXiv 2507.02259): after each chunk the whole memory is rewritten; the answer is written from
 * the last memory alone.
 *
 * A rewrite never destroys the memory silently. An empty response or a refusal keeps the previous memory and is counted; a
 * response that ran into the token limit is taken up to its last whole sentence or line. Both are reported as warnings, and so is
 * a memory that prompts cannot show whole. If nothing is noted by the end, the answer is that the text does not answer, without a
 * call; otherwise there is one call a chunk and one for the answer, or two if the first gives none (`final-answer.ts`).
 */
import { aText, nullable } from '../../json-shape.ts'
import { answerFromMemory } from '../answer/answer-from-memory.ts'
import { memoryInPrompt } from '../memory-shown.ts'
import { questionForPrompt } from '../question-shown.ts'
import { acceptMemory, saysOnly, unlessEmptied, withinBudget } from '../rewritten-memory.ts'
import { stateCheck } from '../state-check.ts'
import type { Answer, Workflow } from '../workflow.ts'
import { overwritePrompts } from './overwrite-prompts.ts'

export type OverwriteState = {
  readonly question: string | null
  /** As sampled; null while nothing is noted, which prompts show as their empty memory. */
  readonly memory: string | null
  readonly steps: number
}

export const overwrite: Workflow<OverwriteState, typeof overwritePrompts> = {
  name: 'overwrite',
  prompts: overwritePrompts,
  init: (question) => ({ question: question ?? null, memory: null, steps: 0 }),
  isState: stateCheck<OverwriteState>({ memory: nullable(aText) }),
  memory: (state) => state.memory?.trim() ?? '',
  unchanged: (state) => ({ ...state, steps: state.steps + 1 }),
  withMemory: (state, memory) => ({ ...state, memory: memory.trim() === '' ? null : memory }),

  async read(state, chunk, context) {
    const { prompts, budget } = context
    const emptyMemory = prompts.text('emptyMemory', {})
    const previous = state.memory ?? emptyMemory
    const section = context.neutralize(chunk.text)
    const question = state.question === null ? undefined : await questionForPrompt(state.question, context)
    const messagesWith = (memory: string) =>
      question === undefined
        ? prompts.messages('note', { memory, section })
        : prompts.messages('update', { question, memory, section })
    const prompt = { messagesWith, maxTokens: budget.memory, step: state.steps }
    const memory = await memoryInPrompt(previous, prompt, context)
    const result = await context.chat({
      messages: messagesWith(memory),
      maxTokens: budget.memory,
      tag: { step: state.steps, kind: 'update' },
      draft: prompts.text('draft', { memory }),
    })
    const rewrite = { previous, maxTokens: budget.memory, step: state.steps }
    const accepted = unlessEmptied(acceptMemory(result, rewrite, context), rewrite, emptyMemory, context)
    const { text, origin } = await withinBudget(accepted, result, rewrite, context)
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
    return answerFromMemory(state.memory, { question, steps: state.steps }, context)
  },
}
