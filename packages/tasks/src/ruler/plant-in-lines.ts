/** Statements on lines of their own among generated lines: RULER's haystacks of noise and of needles. */
import type { ByteRange, TextDocument } from '@memagent/core'
import { documentOfEntries } from './entries-document.ts'
import { createTokenMeter } from './token-meter.ts'
import { tooShort } from './too-short.ts'

export interface PlantInLinesOptions {
  readonly name: string
  /** The endless lines of the haystack; the same ones each time. */
  readonly haystack: () => Iterable<string>
  readonly statements: readonly string[]
  /** Returns, for each statement, the line of the haystack that it precedes. Statements before the same line keep their order. */
  readonly place: (lineCount: number) => readonly number[]
  readonly lengthTokens: number
  readonly countTokens: (text: string) => number
}

export interface PlantedInLines {
  readonly document: TextDocument
  readonly sizeBytes: number
  /** Number of haystack lines. */
  readonly lineCount: number
  /** Positions of the statements, in the given order. */
  readonly ranges: readonly ByteRange[]
}

/** Fits as many whole lines as possible. @throws TaskError if those are fewer than the statements */
export function plantInLines(options: PlantInLinesOptions): PlantedInLines {
  const { name, haystack, statements, lengthTokens, countTokens } = options
  const tokensOf = createTokenMeter(countTokens, '\n')
  let tokensLeft = statements.reduce((left, statement) => left - tokensOf(statement), lengthTokens)
  let lineCount = 0
  for (const line of haystack()) {
    tokensLeft -= tokensOf(line)
    if (!(tokensLeft >= 0)) {
      break
    }
    lineCount += 1
  }
  if (lineCount < statements.length) {
    throw tooShort(name, lengthTokens)
  }
  const placed = options
    .place(lineCount)
    .map((line, statement) => ({ line, statement }))
    .sort((a, b) => a.line - b.line || a.statement - b.statement)
  const ordinals: number[] = []
  for (const [before, { line, statement }] of placed.entries()) {
    ordinals[statement] = line + before
  }
  const { document, sizeBytes, startBytes } = documentOfEntries(
    name,
    {
      separator: '\n',
      *walk() {
        let line = 0
        let next = 0
        for (const text of haystack()) {
          if (line === lineCount) {
            return
          }
          for (; placed[next]?.line === line; next += 1) {
            yield statements[placed[next]!.statement]!
          }
          yield text
          line += 1
        }
      },
    },
    ordinals,
  )
  const ranges = statements.map((statement, i) => ({
    startByte: startBytes[i]!,
    endByte: startBytes[i]! + Buffer.byteLength(statement),
  }))
  return { document, sizeBytes, lineCount, ranges }
}
