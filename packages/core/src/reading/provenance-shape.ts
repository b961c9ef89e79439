/** The shape of positions, and of the sources of statements that a checkpoint keeps. */
import type { Position, PositionMark } from '../documents/position.ts'
import { aCount, aText, listOf, objectOf, oneOf, optional } from '../json-shape.ts'
import type { ProvenanceState, SourceQuote, TracedStatement, Verdict } from '../provenance/provenance.ts'
import type { LineCount } from '../provenance/source-text.ts'

const position = objectOf<Position>({
  page: optional(aCount),
  slide: optional(aCount),
  sheet: optional(aText),
  row: optional(aCount),
  headings: optional(listOf(aText)),
  message: optional(aCount),
  line: optional(aCount),
})

export const positionMark = objectOf<PositionMark>({ byte: aCount, position })

const sourceQuote = objectOf<SourceQuote>({
  quote: aText,
  context: optional(aText),
  file: aText,
  startByte: aCount,
  endByte: aCount,
  position: optional(position),
  step: aCount,
})

export const tracedStatement = objectOf<TracedStatement>({
  text: aText,
  heading: optional(aText),
  step: optional(aCount),
  verdict: oneOf<Verdict>({ found: true, derived: true, 'not-found': true }),
  sources: listOf(sourceQuote),
  nearest: optional(listOf(sourceQuote)),
})

export const provenanceState = objectOf<ProvenanceState>({
  statements: listOf(tracedStatement),
  waiting: listOf(sourceQuote),
  lines: objectOf<LineCount>({ source: aText, endByte: aCount, line: aCount }),
})
