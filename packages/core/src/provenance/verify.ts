/**
 * Rereads cited passages, and nothing else of the text, and checks whether the statements still stand on them. Calls no model.
 */
import type { TextDocument, TextPiece } from '../documents/document.ts'
import { ConfigurationError } from '../errors.ts'
import type { SourceQuote, TracedStatement } from './provenance.ts'
import { indexAfter } from './source-text.ts'

export interface VerifiedStatement {
  readonly statement: TracedStatement
  /** Every passage is unchanged, and the statement was found or derived. */
  readonly stands: boolean
  /** Passages that are no longer as quoted. */
  readonly changed: readonly SourceQuote[]
}

/** @throws ConfigurationError for a document that can be read only once; DocumentError from the document */
export async function verifySources(
  document: TextDocument,
  statements: readonly TracedStatement[],
  signal?: AbortSignal,
): Promise<readonly VerifiedStatement[]> {
  if (!document.isReopenable) {
    throw new ConfigurationError({
      code: 'provenance/read-once',
      message: `${document.name} can be read only once, so its passages cannot be read again.`,
      hint: 'Save it to a file to verify an answer.',
    })
  }
  const texts = await readAgain(
    document,
    statements.flatMap(({ sources }) => sources),
    signal,
  )
  return statements.map((statement) => {
    const changed = statement.sources.filter((source) => texts.get(source) !== source.quote)
    // Not traced again, since what tracing also used, such as names elsewhere, is not kept: unchanged passages say the same.
    return { statement, stands: changed.length === 0 && statement.verdict !== 'not-found', changed }
  })
}

/** The text at the places of the quotes; reads up to the last of them. */
async function readAgain(
  document: TextDocument,
  quotes: readonly SourceQuote[],
  signal: AbortSignal | undefined,
): Promise<ReadonlyMap<SourceQuote, string>> {
  const texts = new Map<SourceQuote, string>()
  const waiting = new Set(quotes)
  if (waiting.size === 0) return texts
  for await (const piece of document.open(signal)) {
    for (const quote of waiting) {
      if (quote.file !== piece.source || quote.startByte >= piece.offsetBytes + piece.lengthBytes) continue
      if (quote.endByte <= piece.offsetBytes) continue
      texts.set(quote, (texts.get(quote) ?? '') + part(piece, quote))
      if (quote.endByte <= piece.offsetBytes + piece.lengthBytes) waiting.delete(quote)
    }
    if (waiting.size === 0) break
  }
  return texts
}

function part({ text, offsetBytes, lengthBytes, bytesPerCodeUnit }: TextPiece, quote: SourceQuote): string {
  const indexOf = (byte: number) => {
    if (byte <= 0) return 0
    if (byte >= lengthBytes) return text.length
    return bytesPerCodeUnit ? byte / bytesPerCodeUnit : indexAfter(text, 0, byte)
  }
  return text.slice(indexOf(quote.startByte - offsetBytes), indexOf(quote.endByte - offsetBytes))
}
