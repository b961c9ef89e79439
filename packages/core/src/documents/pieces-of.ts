import { DocumentError, MemAgentError } from '../errors.ts'
import { messageOf } from '../message-of.ts'
import type { TextDocument, TextPiece } from './document.ts'

/**
 * Opens a document. A user's own may throw anything, such as the error of a lost connection.
 * @throws DocumentError for an error that is not memagent's; an abort throws the signal's reason
 */
export async function* piecesOf(document: TextDocument, signal?: AbortSignal): AsyncGenerator<TextPiece> {
  try {
    yield* document.open(signal)
  } catch (cause) {
    signal?.throwIfAborted()
    if (MemAgentError.isInstance(cause)) throw cause
    const { name } = document
    throw new DocumentError({
      code: 'document/failed',
      message: `${name} could not be read any further: ${messageOf(cause)}`,
      details: { document: name },
      cause,
    })
  }
}
