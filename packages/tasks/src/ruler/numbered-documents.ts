/** Documents of a corpus in sequence, each with its number: the texts of RULER's question answering. */
import type { ByteRange } from '@memagent/core'
import { sampleId } from '../sample-id.ts'
import type { Sample, SampleRequest } from '../task.ts'
import { documentOfEntries } from './entries-document.ts'
import type { DocumentSpan, QaQuestion } from './qa-corpus.ts'
import type { TextStore } from './text-store.ts'

const separator = '\n\n'

const headOf = (ordinal: number): string => `Document ${ordinal + 1}:\n`

/**
 * The sample of a question about documents in this order. Names the depth of the evidence, if its place is known.
 * @param order numbers of the documents, including those of the evidence and the supporting facts
 * @param labels more of them
 */
export function numberedSample(
  task: string,
  request: SampleRequest,
  asked: Pick<QaQuestion, 'question' | 'references' | 'evidence' | 'supportingFacts'>,
  documents: TextStore,
  order: Int32Array,
  labels: Sample['labels'] = {},
): Sample {
  const spans = [...asked.evidence, ...asked.supportingFacts]
  const ordinals = spans.map(({ document }) => order.indexOf(document))
  const { document, sizeBytes, startBytes } = documentOfEntries(
    `${task}-${request.seed}-${request.index}`,
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
  const evidence = ranges.slice(0, asked.evidence.length)
  return {
    id: sampleId(task, request),
    question: asked.question,
    document,
    references: asked.references,
    match: 'any',
    evidence,
    supportingFacts: ranges.slice(evidence.length),
    labels: {
      kind: task,
      present: true,
      documents: order.length,
      ...labels,
      ...(evidence.length > 0 ? { depth: evidence[0]!.startByte / sizeBytes } : {}),
    },
  }
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
