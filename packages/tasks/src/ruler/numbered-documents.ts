/** Documents of a corpus in sequence, each with its number: the texts of RULER's question answering. */
import type { ByteRange } from '@memagent/core'
import { documentOfEntries, type EntriesDocument } from './entries-document.ts'
import type { DocumentSpan } from './qa-corpus.ts'
import type { TextStore } from './text-store.ts'

const separator = '\n\n'

const headOf = (ordinal: number): string => `Document ${ordinal + 1}:\n`

export interface NumberedDocuments extends Pick<EntriesDocument, 'document' | 'sizeBytes'> {
  /** Positions of the spans, in order. */
  readonly ranges: readonly ByteRange[]
}

/**
 * @param order numbers of the documents, including those of the spans
 * @param spans parts of documents to locate
 */
export function numberedDocuments(
  name: string,
  documents: TextStore,
  order: Int32Array,
  spans: readonly DocumentSpan[],
): NumberedDocuments {
  const ordinals = spans.map(({ document }) => order.indexOf(document))
  const { document, sizeBytes, startBytes } = documentOfEntries(
    name,
    {
      separator,
      areTexts: true,
      *walk() {
        for (let i = 0; i < order.length; i += 1) {
          yield headOf(i) + documents.textOf(order[i]!)
        }
      },
    },
    ordinals,
  )
  const ranges = spans.map((span, i) =>
    rangeOf(span, documents.textOf(span.document), startBytes[i]! + headOf(ordinals[i]!).length),
  )
  return { document, sizeBytes, ranges }
}

function rangeOf({ start, end }: DocumentSpan, text: string, documentByte: number): ByteRange {
  const startByte = documentByte + Buffer.byteLength(text.slice(0, start))
  return { startByte, endByte: startByte + Buffer.byteLength(text.slice(start, end)) }
}

/** Tokens of every document with its head and a separator, counted once per counting function. */
export function createDocumentCounts(
  documents: TextStore,
): (countTokens: (text: string) => number) => (document: number) => number {
  const known = new WeakMap<(text: string) => number, Int32Array>()
  return (countTokens) => {
    const counts = known.get(countTokens) ?? new Int32Array(documents.count).fill(-1)
    known.set(countTokens, counts)
    const frame = countTokens(`A${separator}A`)
    return (document) => {
      if (counts[document]! < 0) {
        const text = `${headOf(99)}${documents.textOf(document)}`
        counts[document] = countTokens(`A${separator}${text}${separator}A`) - frame
      }
      return counts[document]!
    }
  }
}
