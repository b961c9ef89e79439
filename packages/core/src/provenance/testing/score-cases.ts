/** Plays the cases through a tracer, section by section, and compares its verdicts and passages with the expected ones. */
import type { TracedStatement } from '../provenance.ts'
import { Tracer } from '../tracer.ts'
import { type CaseDocument, type Passage, type Says, unmarked } from './case-file.ts'

export interface Scored {
  readonly document: string
  readonly says: Says
  readonly traced: TracedStatement
  readonly isVerdictRight: boolean
  /** Whether the passages are the expected ones, too; also true if none are expected. */
  readonly isRight: boolean
  /** Whether the expected passages are shown, as its sources or as the nearest. */
  readonly isShown: boolean
}

const file = 'text'

export function scoreCases(documents: readonly CaseDocument[]): Scored[] {
  return documents.flatMap(scoreDocument)
}

function scoreDocument(document: CaseDocument): Scored[] {
  const { sections, passages } = unmarked(document)
  const encoder = new TextEncoder()
  const tracer = new Tracer()
  const scored: Scored[] = []
  let [startByte, memory] = [0, '']
  for (const [section, text] of sections.entries()) {
    const endByte = startByte + encoder.encode(text).length
    tracer.addChunk({ ordinal: section, text, tokens: 1, ranges: [{ source: file, startByte, endByte }] })
    const present = document.says.filter((says) => isPresent(says, section, passages, sections.length))
    const next = present.map(({ says }) => `- ${says}`).join('\n')
    tracer.addMemory(section, next, memory)
    tracer.endStep()
    for (const says of present) {
      if (firstSection(says, passages, sections.length) !== section) continue
      scored.push(judge(document.name, says, tracer.statementsOf(says.says), passages))
    }
    ;[startByte, memory] = [endByte, next]
  }
  return scored
}

function firstSection({ at, from }: Says, passages: ReadonlyMap<string, Passage>, sections: number): number {
  if (from !== undefined) return from
  const named = at.split(/[+/|]/).flatMap((name) => passages.get(name)?.section ?? [])
  return named.length > 0 ? Math.max(...named) : sections - 1
}

function isPresent(
  says: Says,
  section: number,
  passages: ReadonlyMap<string, Passage>,
  sections: number,
): boolean {
  return firstSection(says, passages, sections) <= section && section < (says.until ?? sections)
}

function judge(
  document: string,
  says: Says,
  parts: readonly TracedStatement[],
  passages: ReadonlyMap<string, Passage>,
): Scored {
  // A case of two sentences is two statements, of which the weakest counts.
  const order = ['not-found', 'derived', 'found']
  const weakest = parts.toSorted((a, b) => order.indexOf(a.verdict) - order.indexOf(b.verdict))[0]!
  const traced = { ...weakest, sources: parts.flatMap(({ sources }) => sources) }
  const shown = parts.flatMap(({ sources, nearest = [] }) => [...sources, ...nearest])
  const isVerdictRight = traced.verdict === says.verdict
  const isRight = isVerdictRight && (says.at === '' || pointsTo(traced, says.at, passages))
  const isShown = says.at !== '' && (isRight || isAmong(shown, says.at, passages))
  return { document, says, traced, isVerdictRight, isRight, isShown }
}

/** Whether every passage of one alternative is quoted at least by half, and no quote is mostly something else. */
function pointsTo(
  { sources, verdict }: TracedStatement,
  at: string,
  passages: ReadonlyMap<string, Passage>,
): boolean {
  return alternativesIn(at, passages).some((wanted) => {
    // A derived statement may show more passages than needed.
    const isClean =
      verdict === 'derived' ||
      sources.every((source) => coveredBy(source, wanted) >= 0.5 * (source.endByte - source.startByte))
    return areQuoted(wanted, sources) && isClean
  })
}

/** The same, whatever else is quoted. */
const isAmong = (quotes: readonly Range[], at: string, passages: ReadonlyMap<string, Passage>): boolean =>
  alternativesIn(at, passages).some((wanted) => areQuoted(wanted, quotes))

const alternativesIn = (at: string, passages: ReadonlyMap<string, Passage>): Passage[][] =>
  at
    .split('|')
    .flatMap((one) => (one.includes('/') ? one.split('/') : one))
    .map((names) => names.split('+').map((name) => passages.get(name)!))

const areQuoted = (wanted: readonly Passage[], quotes: readonly Range[]): boolean =>
  wanted.every((passage) => coveredBy(passage, quotes) >= 0.5 * (passage.endByte - passage.startByte))

type Range = Pick<Passage, 'startByte' | 'endByte'>

const coveredBy = ({ startByte, endByte }: Range, others: readonly Range[]): number =>
  others.reduce(
    (sum, other) =>
      sum + Math.max(0, Math.min(endByte, other.endByte) - Math.max(startByte, other.startByte)),
    0,
  )

export interface ClassScore {
  readonly class: string
  /** Statements that the text supports; `right` counts those with the right passage. */
  readonly supported: number
  readonly right: number
  /** Supported statements shown with their passage, as a source or as the nearest. */
  readonly shown: number
  /** Supported statements marked as not found: false alarms. */
  readonly alarms: number
  /** Statements that the text does not support; `marked` counts those marked as such. */
  readonly unsupported: number
  readonly marked: number
}

/** One line per class, and `all`. */
export function byClass(scored: readonly Scored[]): ClassScore[] {
  const classes = [...new Set(scored.map(({ says }) => says.class))].sort()
  const of = (name: string, some: readonly Scored[]): ClassScore => {
    const supported = some.filter(({ says }) => says.verdict !== 'not-found')
    const unsupported = some.filter(({ says }) => says.verdict === 'not-found')
    return {
      class: name,
      supported: supported.length,
      right: supported.filter(({ isRight }) => isRight).length,
      shown: supported.filter(({ isShown }) => isShown).length,
      alarms: supported.filter(({ traced }) => traced.verdict === 'not-found').length,
      unsupported: unsupported.length,
      marked: unsupported.filter(({ isRight }) => isRight).length,
    }
  }
  return [
    ...classes.map((name) =>
      of(
        name,
        scored.filter(({ says }) => says.class === name),
      ),
    ),
    of('all', scored),
  ]
}
