/**
 * MemAgent's workflow (arXiv 2507.02259): after each chunk the whole memory is rewritten; the answer is written from
 * the last memory alone.
 *
 * A rewrite never destroys the memory silently. An empty response or a refusal keeps the previous memory; a response
 * that ran into the token limit is taken up to its last whole sentence or line; both are reported as warnings and the
 * former is counted. When nothing was noted by the end, the answer is that the text does not answer, without a call;
 * otherwise there is one call a chunk and one for the answer, or two where the first gives none (`final-answer.ts`).
 */
import type { ChatResult } from '../../chat/chat.ts'
import { ConfigurationError } from '../../errors.ts'
import { aCount, aText, nullable, objectOf } from '../../json-shape.ts'
import { askForAnswer } from '../answer/final-answer.ts'
import { flawOf } from '../answer/response-flaw.ts'
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

export interface Rewrite {
  /** The memory before. */
  readonly previous: string
  /** The limit of the response. */
  readonly maxTokens: number
  readonly step: number
}

/** Which text becomes the memory after a rewrite. */
export function acceptMemory(
  result: ChatResult,
  { previous, maxTokens, step }: Rewrite,
  { emit }: Pick<ReadingContext, 'emit'>,
): { readonly text: string; readonly origin: 'sampled' | 'kept' } {
  const warn = (code: string, message: string) => emit({ type: 'warning', step, code, message })
  const flaw = flawOf(result, maxTokens)?.kind
  if (flaw === 'refused') {
    warn('memory-refused', 'The model refused to rewrite the memory; the previous memory is kept.')
    return { text: previous, origin: 'kept' }
  }
  if (flaw === 'empty') {
    const what =
      result.reasoning === undefined ? 'wrote an empty memory' : 'ended inside its reasoning without a memory'
    warn('memory-empty', `The model ${what}; the previous memory is kept.`)
    return { text: previous, origin: 'kept' }
  }
  if (flaw === 'cut') {
    warn('memory-cut', 'The memory reached its token limit and was cut; a larger memory budget avoids this.')
    return { text: wholeSentences(result.text), origin: 'sampled' }
  }
  return { text: result.text, origin: 'sampled' }
}

/** Cut to its budget, as it appears in the prompt. */
const memoryForPrompt = (memory: string, context: ReadingContext): Promise<string> =>
  context.truncate(context.neutralize(memory.trim()), context.budget.memory)

/** A question is never cut. @throws ConfigurationError when it is beyond its budget */
export async function questionForPrompt(question: string, context: ReadingContext): Promise<string> {
  const text = context.neutralize(question)
  const tokens = await context.countTokens(text)
  if (tokens <= context.budget.question) return text
  throw new ConfigurationError({
    code: 'workflow/question-too-long',
    message: `The question has ${tokens} tokens; the budget allows ${context.budget.question}.`,
    hint: 'Shorten the question, or raise its budget within the window (--question-budget; in code: budget.question).',
    details: { tokens, budget: context.budget.question },
  })
}

/** A text that was cut, up to its last sentence or line; the whole of it where that would be less than half. */
export function wholeSentences(text: string): string {
  const end = lastSentenceEnd(text)
  return end > text.length / 2 ? text.slice(0, end) : text
}

/** After the last sentence or line; 0 when there is none. */
function lastSentenceEnd(text: string): number {
  let end = 0
  for (const match of text.matchAll(/[.!?;]["')\]]*(?=\s|$)|\n/g)) end = match.index + match[0].length
  return end
}

/** These words of the prompts, however they are spelled; a model repeats those for an empty memory while it finds nothing. */
export function saysOnly(text: string, words: string): boolean {
  return withoutQuotes(text) === withoutQuotes(words)
}

/** With a loop: a pattern for trailing characters takes quadratic time when many of them are in the middle. */
function withoutQuotes(part: string): string {
  const text = part.trim().toLowerCase()
  let [from, to] = [0, text.length]
  while (from < to && '"\'`*'.includes(text[from]!)) from++
  while (to > from && '"\'`*.'.includes(text[to - 1]!)) to--
  return text.slice(from, to)
}
