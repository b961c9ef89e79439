/** Passages of a document, for methods that retrieve: cut on natural boundaries, chosen by rank. */
import { chunkDocument, type Document } from '@memagent/core'
import type { ByteRange } from '@memagent/tasks'
import { rangeOf } from './byte-ranges.ts'
import type { MethodRun } from './method-run.ts'

export interface Passage extends ByteRange {
  readonly ordinal: number
  /** Of the document's text. */
  readonly startCharacter: number
  readonly endCharacter: number
  /** As the text will stand in a prompt. */
  readonly tokens: number
}

export interface PassageText extends Passage {
  readonly text: string
}

/** The document's passages in order, as a stream. */
export async function* passagesOf(
  document: Document,
  maxTokens: number,
  run: MethodRun,
): AsyncGenerator<PassageText> {
  let startCharacter = 0
  const chunks = chunkDocument(document, { maxTokens, tokenizer: run.textTokenizer, signal: run.signal })
  for await (const chunk of chunks) {
    const { ordinal, text, tokens } = chunk
    const endCharacter = startCharacter + text.length
    yield { ordinal, text, tokens, startCharacter, endCharacter, ...rangeOf(chunk) }
    startCharacter = endCharacter
  }
}

/**
 * The best passages that fit, in the document's order. The first that does not fit ends the choice, so that no worse one
 * takes the place of a better one.
 * @param ranked best first @param gapTokens that stand between passages which do not follow each other
 * @param most passages. @default no limit
 */
export function bestThatFit<P extends Passage>(
  ranked: readonly P[],
  roomTokens: number,
  gapTokens: number,
  most = Number.POSITIVE_INFINITY,
): P[] {
  const chosen = new Map<number, P>()
  let tokens = -gapTokens
  for (const passage of ranked) {
    const neighbours = [passage.ordinal - 1, passage.ordinal + 1].filter((ordinal) => chosen.has(ordinal))
    tokens += passage.tokens + (1 - neighbours.length) * gapTokens
    if (tokens > roomTokens || chosen.size >= most) break
    chosen.set(passage.ordinal, passage)
  }
  return [...chosen.values()].toSorted((a, b) => a.ordinal - b.ordinal)
}

/** The texts of some passages, read from the document in one go. @param passages in the document's order */
export async function readPassages(
  document: Document,
  passages: readonly Passage[],
  signal: AbortSignal,
): Promise<PassageText[]> {
  const texts = passages.map(() => '')
  let [next, offset] = [0, 0]
  if (passages.length > 0) {
    for await (const { text } of document.open(signal)) {
      const end = offset + text.length
      for (let i = next; i < passages.length && passages[i]!.startCharacter < end; i++) {
        const { startCharacter, endCharacter } = passages[i]!
        texts[i] += text.slice(Math.max(0, startCharacter - offset), endCharacter - offset)
        if (endCharacter <= end) next = i + 1
      }
      offset = end
      if (next === passages.length) break
    }
  }
  return passages.map((passage, i) => ({ ...passage, text: texts[i]! }))
}
