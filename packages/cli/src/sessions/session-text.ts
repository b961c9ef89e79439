/** Texts of a session as one document. */
import type { TextDocument, TextPiece } from '@memagent/core'
import type { SourceRemark } from '@memagent/documents'
import { type NewDocument, sessionFingerprint } from '@memagent/store'
import { openText, type TextFlags } from '../commands/open-text.ts'
import { findInput, withKeptInput } from '../run-store/kept-input.ts'
import type { StorePlace } from '../run-store/open-store.ts'
import type { Terminal } from '../terminal.ts'

export interface SessionTexts {
  readonly session: string
  readonly reading: number
  /** At least one. */
  readonly documents: readonly NewDocument[]
  readonly flags: TextFlags
  readonly place: StorePlace
  /** Remarks on them, added while they are read. */
  readonly remarks: SourceRemark[]
}

const standardInput = 'standard input'

/** @throws DocumentError, StoreError if a kept standard input is gone */
export async function openSessionText(texts: SessionTexts): Promise<TextDocument> {
  const { session, reading, documents, flags, place, remarks } = texts
  const [first] = documents
  const count = documents.length
  const input = documents.find((one) => one.input !== undefined)
  const paths = documents.map((one) => (one === input ? '-' : one.path))
  const open = (stdin: Terminal['stdin']) => openText(paths, flags, { stdin }, 'session read NAME -', remarks)
  const document = input
    ? await withKeptInput(await findInput(place.inputs, input.input!), count === 1 && !flags.loader, open)
    : await open(nothing)
  return {
    name: count === 1 ? first!.path : `${count} files`,
    ...(!documents.some(({ startByte }) => startByte) && { sizeBytes: document.sizeBytes }),
    isReopenable: true,
    async *open(signal) {
      for await (const piece of document.open(signal)) {
        const named = input ? renamed(piece, input.path) : piece
        const rest = first!.startByte ? behind(named, first!.path, first!.startByte) : named
        if (rest) yield rest
      }
    },
    fingerprint: async () => sessionFingerprint(session, reading),
  }
}

const nothing: Terminal['stdin'] = {
  async *[Symbol.asyncIterator]() {
    // None of the texts is standard input.
  },
}

/** Gives the standard input of each reading its own name. */
function renamed(piece: TextPiece, name: string): TextPiece {
  const { source } = piece
  const isInput = source === standardInput || source.startsWith(`${standardInput}/`)
  return isInput ? { ...piece, source: name + source.slice(standardInput.length) } : piece
}

/** The part of a piece from this byte of the first text on; undefined if it ends before. */
function behind(piece: TextPiece, path: string, startByte: number): TextPiece | undefined {
  const { source, offsetBytes, lengthBytes } = piece
  if (piece.unread || source !== path || offsetBytes >= startByte) return piece
  if (offsetBytes + lengthBytes <= startByte) return undefined
  const bytes = startByte - offsetBytes
  const encoded = Buffer.from(piece.text, piece.bytesPerCodeUnit ? 'utf16le' : 'utf8')
  const text = encoded.subarray(bytes).toString(piece.bytesPerCodeUnit ? 'utf16le' : 'utf8')
  // The position holds for the start of the piece only.
  const { position: _, ...rest } = piece
  return { ...rest, text, offsetBytes: startByte, lengthBytes: lengthBytes - bytes }
}
