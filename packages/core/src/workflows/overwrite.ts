/**
 * MemAgent's workflow (arXiv 2507.02259): after each chunk the whole memory is written anew; the answer is written from
 * the last memory alone.
 *
 * A rewrite never destroys the memory silently. An empty response or a refusal keeps the previous memory; a response
 * that ran into the token limit is taken up to its last whole sentence or line; both are reported as warnings and the
 * former is counted. When nothing was noted by the end, the answer is that the text does not answer, without a call.
 */
import type { ChatResult } from '../chat/chat.ts'
import { ConfigurationError } from '../errors.ts'
import { lastBoxed } from './boxed.ts'
import { notFoundPhrase } from './paper-prompts.ts'
import type { Answer, ReadingContext, Workflow } from './workflow.ts'

export type OverwriteState = {
  readonly question: string | null
  /** As sampled; undefined text before the first note is the prompts' empty memory, stored as null. */
  readonly memory: string | null
  readonly steps: number
}

export const overwrite: Workflow<OverwriteState> = {
  name: 'overwrite',
  init: (question) => ({ question: question ?? null, memory: null, steps: 0 }),
  memory: (state) => state.memory?.trim() ?? '',

  async read(state, chunk, context) {
    const { prompts, budget } = context
    const question = await checkedQuestion(state.question, context)
    const previous = state.memory ?? prompts.emptyMemory
    const memory = context.neutralize(await context.truncate(previous.trim(), budget.memory))
    const result = await context.chat({
      messages: prompts.update({ question, memory, section: context.neutralize(chunk.text) }),
      maxTokens: budget.memory,
      tag: { step: state.steps, kind: 'update' },
      draft: prompts.draft?.(memory) ?? memory,
    })
    const { text, origin } = accept(result, previous, state.steps, context)
    const isEmpty = text.trim() === prompts.emptyMemory
    context.emit({
      type: 'memory-end',
      step: state.steps,
      memory: isEmpty ? '' : text.trim(),
      previous: state.memory?.trim() ?? '',
      changed: text.trim() !== previous.trim(),
      origin,
      tokens: result.usage?.completionTokens ?? (await context.countTokens(text)),
    })
    return { state: { ...state, memory: isEmpty ? null : text, steps: state.steps + 1 } }
  },

  async answer(state, question, context): Promise<Answer> {
    if (state.memory === null) return { text: '', found: false }
    const { prompts, budget } = context
    const result = await context.chat({
      messages: prompts.answer({
        question: (await checkedQuestion(question, context))!,
        memory: context.neutralize(await context.truncate(state.memory.trim(), budget.memory)),
      }),
      maxTokens: budget.output,
      tag: { step: state.steps, kind: 'answer' },
    })
    const boxed = lastBoxed(result.text)
    if (boxed === undefined) {
      context.emit({
        type: 'warning',
        step: state.steps,
        code: 'answer-without-box',
        message: 'The final response has no \\boxed{...}; the whole response is taken as the answer.',
      })
    }
    const text = boxed ?? result.text.trim()
    const found = text !== '' && text.toLowerCase().replace(/\.$/, '') !== notFoundPhrase
    return { text: found ? text : '', found, response: result.text }
  },
}

/** Which text becomes the memory. */
function accept(
  result: ChatResult,
  previous: string,
  step: number,
  context: ReadingContext,
): { readonly text: string; readonly origin: 'sampled' | 'kept' } {
  const warn = (code: string, message: string) => context.emit({ type: 'warning', step, code, message })
  if (result.finishReason.unified === 'refusal') {
    warn('memory-refused', 'The model refused to rewrite the memory; the previous memory is kept.')
    return { text: previous, origin: 'kept' }
  }
  if (result.text.trim() === '') {
    warn('memory-empty', 'The model wrote an empty memory; the previous memory is kept.')
    return { text: previous, origin: 'kept' }
  }
  if (result.finishReason.unified === 'length') {
    const end = lastSentenceEnd(result.text)
    const text = end > result.text.length / 2 ? result.text.slice(0, end) : result.text
    warn('memory-cut', 'The memory reached its token limit and was cut; a larger memory budget avoids this.')
    return { text, origin: 'sampled' }
  }
  return { text: result.text, origin: 'sampled' }
}

/** Behind the last sentence or line; 0 when there is none. */
function lastSentenceEnd(text: string): number {
  let end = 0
  for (const match of text.matchAll(/[.!?;]["')\]]*(?=\s|$)|\n/g)) end = match.index + match[0].length
  return end
}

async function checkedQuestion(
  question: string | null,
  context: ReadingContext,
): Promise<string | undefined> {
  if (question === null) return undefined
  const tokens = await context.countTokens(question)
  if (tokens > context.budget.question) {
    throw new ConfigurationError({
      code: 'workflow/question-too-long',
      message: `The question has ${tokens} tokens; the budget allows ${context.budget.question}.`,
      hint: 'Shorten the question, or raise the question budget within the window.',
      details: { tokens, budget: context.budget.question },
    })
  }
  return context.neutralize(question)
}
