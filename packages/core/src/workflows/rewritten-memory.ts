/** Turns a response that rewrites the memory into the new memory. */
import type { ChatResult } from '../chat/chat.ts'
import { asksForTool, flawOf } from './answer/response-flaw.ts'
import { fitted, wholeSentences } from './cut-text.ts'
import { saysNothingNew } from './nothing-new.ts'
import type { ReadingContext } from './workflow.ts'

export interface Rewrite {
  /** The memory before the rewrite. */
  readonly previous: string
  readonly maxTokens: number
  readonly step: number
}

export interface AcceptedMemory {
  readonly text: string
  readonly origin: 'sampled' | 'kept'
}

/** The text that becomes the memory after a rewrite. */
export function acceptMemory(
  result: ChatResult,
  { previous, maxTokens, step }: Rewrite,
  { emit }: Pick<ReadingContext, 'emit'>,
): AcceptedMemory {
  const warn = (code: string, message: string) => emit({ type: 'warning', step, code, message })
  const flaw = flawOf(result, maxTokens, step, { emit })
  if (flaw?.kind === 'refused') {
    const what = asksForTool(result.finishReason)
      ? 'asked for a tool instead of rewriting'
      : 'refused to rewrite'
    warn('memory-refused', `The model ${what} the memory; the previous memory is kept.`)
    return { text: previous, origin: 'kept' }
  }
  if (flaw?.kind === 'empty') {
    const what =
      result.reasoning === undefined ? 'wrote an empty memory' : 'ended inside its reasoning without a memory'
    warn('memory-empty', `The model ${what}; the previous memory is kept.`)
    return { text: previous, origin: 'kept' }
  }
  if (flaw?.kind === 'cut') {
    warn('memory-cut', 'The memory reached its token limit and was cut; a larger memory budget avoids this.')
    return { text: wholeSentences(result.text), origin: 'sampled' }
  }
  return { text: result.text, origin: 'sampled' }
}

/** Continues "the response". */
export const emptiesMemory = 'says that nothing is noted, although something is'

/**
 * Models use the prompts' words for an empty memory to say "nothing new", so these words do not erase notes, and a warning says
 * so; nor do words of their own for it. A trained model may erase notes: its lessons write these words when nothing is left to
 * note.
 */
export function unlessEmptied(
  accepted: AcceptedMemory,
  { previous, step }: Rewrite,
  emptyMemory: string,
  { emit, isTrained }: Pick<ReadingContext, 'emit' | 'isTrained'>,
): AcceptedMemory {
  if (isTrained || saysOnly(previous, emptyMemory)) return accepted
  if (saysNothingNew(accepted.text)) return { text: previous, origin: 'sampled' }
  if (!saysOnly(accepted.text, emptyMemory)) return accepted
  const message = `The response ${emptiesMemory}; the previous memory is kept.`
  emit({ type: 'warning', step, code: 'memory-empty', message })
  return { text: previous, origin: 'kept' }
}

/**
 * Cuts a text that is over the limit by the reader's count, with a warning, unless the server reports that the limit was kept by
 * its own count.
 */
export async function withinBudget(
  accepted: AcceptedMemory,
  { usage, finishReason }: ChatResult,
  { maxTokens, step }: Rewrite,
  context: Pick<ReadingContext, 'countTokens' | 'emit' | 'neutralize' | 'truncate'>,
): Promise<AcceptedMemory> {
  const { text, origin } = accepted
  const keptLimit = usage ? usage.completionTokens <= maxTokens : finishReason.unified === 'length'
  if (origin === 'kept' || keptLimit) return accepted
  if ((await context.countTokens(context.neutralize(text.trim()))) <= maxTokens) return accepted
  const message = 'The memory is over its budget and was cut; a larger memory budget avoids this.'
  context.emit({ type: 'warning', step, code: 'memory-cut', message })
  return { text: await fitted(text.trim(), maxTokens, context), origin }
}

/**
 * Whether a text is only these words of the prompts, ignoring case and quotes. A model repeats the words for an empty memory
 * while it finds nothing.
 */
export function saysOnly(text: string, words: string): boolean {
  return withoutQuotes(text) === withoutQuotes(words)
}

/** The rest of a text that begins with these words of the prompts, in any quotes and brackets; undefined if it does not. */
export function afterWords(text: string, words: string): string | undefined {
  const said = text.replace(/^[\p{P}\p{S}\s]+/u, '')
  const rest = said.slice(words.length)
  if (said.slice(0, words.length).toLowerCase() !== words.toLowerCase()) return undefined
  return /^[\p{L}\p{N}]/u.test(rest) ? undefined : rest.replace(/^[\p{P}\p{S}\s]+/u, '')
}

/** A loop, because a pattern for trailing characters takes quadratic time if many of them are in the middle. */
function withoutQuotes(part: string): string {
  const text = part.trim().toLowerCase()
  let [from, to] = [0, text.length]
  while (from < to && '"\'`*'.includes(text[from]!)) from++
  while (to > from && '"\'`*.'.includes(text[to - 1]!)) to--
  return text.slice(from, to)
}
