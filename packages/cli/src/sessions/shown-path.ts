/** Sessions store absolute paths as they were when read; people see present paths, relative to the current folder. */
import { isAbsolute, relative } from 'node:path'
import type { SourceQuote, TracedStatement } from '@memagent/core'
import type { SessionDocument } from '@memagent/store'

/** Relative to the current folder, if inside it. */
export function shownPath(path: string): string {
  if (!isAbsolute(path)) return path
  const below = relative(process.cwd(), path)
  return below === '' || below.startsWith('..') || isAbsolute(below) ? path : below
}

/** With the present paths of files, also of files in an archive. */
export function withPresentPaths(
  statements: readonly TracedStatement[],
  documents: readonly SessionDocument[],
): readonly TracedStatement[] {
  const paths = new Set(documents.map(({ path }) => path))
  const moved = documents.flatMap(({ readAs, path }) =>
    // Another file may have taken its name.
    readAs === undefined || paths.has(readAs) ? [] : [{ readAs, path }],
  )
  if (moved.length === 0) return statements
  return withFiles(statements, (file) => {
    const one = moved.find(({ readAs }) => file === readAs || file.startsWith(`${readAs}/`))
    return one ? one.path + file.slice(one.readAs.length) : file
  })
}

/** With paths as shown to people. */
export const withShownPaths = (statements: readonly TracedStatement[]): readonly TracedStatement[] =>
  withFiles(statements, shownPath)

const withFiles = (statements: readonly TracedStatement[], fileOf: (file: string) => string) =>
  statements.map((statement) => {
    const named = (source: SourceQuote): SourceQuote => ({ ...source, file: fileOf(source.file) })
    const { sources, nearest } = statement
    return { ...statement, sources: sources.map(named), ...(nearest && { nearest: nearest.map(named) }) }
  })
