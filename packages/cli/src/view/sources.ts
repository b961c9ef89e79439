/** Prints where an answer or notes come from. Quotes come from documents, and are made safe for a terminal. */
import type { Provenance, SourceQuote, TracedStatement } from '@memagent/core'
import { type Output, printable } from '../terminal.ts'
import { quotePlace } from './place-text.ts'

/** Characters of a quote that are printed; the whole of it is in `--json`. */
const mostQuoted = 240
/** Statements without a source that are printed one by one. */
const mostUnfound = 10

/** A source as fields of `--json`, with those of its position among them. */
export const sourceFields = ({ quote, file, position, startByte, endByte, step }: SourceQuote) => ({
  quote,
  file,
  ...position,
  startByte,
  endByte,
  step,
})

/** The fields `sources` and `statements` of `--json`. */
export function provenanceFields({ answer, memory }: Provenance) {
  const fields = (statements: readonly TracedStatement[]) =>
    statements.map(({ sources, nearest, ...statement }) => ({
      ...statement,
      sources: sources.map(sourceFields),
      ...(nearest && { nearest: nearest.map(sourceFields) }),
    }))
  return {
    sources: distinct(answer ?? memory).map(sourceFields),
    statements: { ...(answer && { answer: fields(answer) }), memory: fields(memory) },
  }
}

/** Each once, in the order of the statements. */
function distinct(statements: readonly TracedStatement[]): SourceQuote[] {
  const all = statements.flatMap(({ sources }) => sources)
  return [...new Map(all.map((one) => [`${one.file}\n${one.startByte}\n${one.endByte}`, one])).values()]
}

export function printSources(provenance: Provenance, output: Output): void {
  output.write(sourcesText(provenance))
}

export function sourcesText({ answer, memory }: Provenance): string {
  const statements = answer ?? memory
  const sources = distinct(statements)
  const unfound = statements.filter(({ verdict }) => verdict === 'not-found')
  return [
    ...(sources.length > 0 ? [answer ? 'Sources:' : 'Sources of the notes:'] : []),
    ...sources.map((source) => `  ${quotePlace(source)}: "${shortened(source.quote)}"`),
    ...(statements.some(({ verdict }) => verdict === 'derived')
      ? ['  A number or an order follows from these passages; none of them says it.']
      : []),
    ...unfound.slice(0, mostUnfound).flatMap(unfoundLines),
    ...(unfound.length > mostUnfound ? [`... and for ${unfound.length - mostUnfound} more.`] : []),
  ]
    .map((line) => `${line}\n`)
    .join('')
}

/** Says that no passage was found, and which come nearest. */
export const unfoundLines = ({ text, nearest = [] }: TracedStatement): string[] => [
  `No passage was found for: ${shortened(text)}`,
  ...nearest.map((one) => `  nearest: ${quotePlace(one)}: "${shortened(one.quote)}"`),
]

/** On one line, and not long. */
export function shortened(text: string): string {
  const plain = printable(text)
  if (plain.length <= mostQuoted) return plain
  return `${Array.from(plain).slice(0, mostQuoted).join('')} ...`
}
