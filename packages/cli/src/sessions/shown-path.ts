/** Sessions store absolute paths as they were when read; people see present paths, relative to the current folder. */
import { isAbsolute, relative } from 'node:path'
import type { SourceQuote, TracedStatement } from '@memagent/core'
import type { SessionDocument, SessionReading } from '@memagent/store'

/** Relative to the current folder, if inside it. */
export function shownPath(path: string): string {
  if (!isAbsolute(path)) return path
  const below = relative(process.cwd(), path)
  return below === '' || below.startsWith('..') || isAbsolute(below) ? path : below
}

/**
 * With the present paths of files, also of files in an archive. The step of a source tells its reading, and so its file: another
 * one may have taken its name.
 * @param readings of the session, in order
 */
export function withPresentPaths(
  statements: readonly TracedStatement[],
  documents: readonly SessionDocument[],
  readings: readonly Pick<SessionReading, 'number' | 'steps'>[],
): readonly TracedStatement[] {
  let end = 0
  const ends = readings.map(({ number, steps }) => {
    end += steps
    return { number, end }
  })
  return withFiles(statements, ({ file, step }) => {
    const reading = ends.find(({ end }) => step < end)?.number
    const one = documents.find(
      ({ path, readAs = path, ...document }) =>
        document.reading === reading && (file === readAs || file.startsWith(`${readAs}/`)),
    )
    return one?.readAs === undefined ? file : one.path + file.slice(one.readAs.length)
  })
}

/** With paths as shown to people. */
export const withShownPaths = (statements: readonly TracedStatement[]): readonly TracedStatement[] =>
  withFiles(statements, ({ file }) => shownPath(file))

const withFiles = (statements: readonly TracedStatement[], fileOf: (source: SourceQuote) => string) =>
  statements.map((statement) => {
    const named = (source: SourceQuote): SourceQuote => ({ ...source, file: fileOf(source) })
    const { sources, nearest } = statement
    return { ...statement, sources: sources.map(named), ...(nearest && { nearest: nearest.map(named) }) }
  })
