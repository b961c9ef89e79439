/** The current memory of a session, for questions. */
import type { ReadingStart } from '@memagent/core'
import type { RunStore, RunSummary } from './run-store.ts'
import type { SessionDocument, SessionStore, SessionSummary } from './session-store.ts'

/** Code of the warning that not all of the session's texts were read. */
export const readingUnfinished = 'reading-unfinished'

/**
 * The memory so far, with warnings if a reading is unfinished, or ended within a text of which the rest was not read since.
 * @returns undefined if nothing was read @throws StoreError
 */
export async function sessionMemory(
  store: Pick<RunStore, 'load'> & { readonly sessions: Pick<SessionStore, 'start' | 'documents'> },
  { name, unfinished }: Pick<SessionSummary, 'name' | 'unfinished'>,
): Promise<ReadingStart | undefined> {
  const start = await store.sessions.start(name)
  if (!start) return undefined
  const parts = readInPart(await store.sessions.documents(name))
  const known = parts.length === 0 ? start : withWarning(start, messageOfParts(parts))
  if (unfinished === undefined) return known
  return withUnfinished(known, await store.load(unfinished), 'A reading of the session')
}

/** Texts whose reading ended before their end, and which no later reading went on with or read anew. */
const readInPart = (documents: readonly SessionDocument[]): readonly string[] =>
  documents.flatMap(({ path, reading, endByte }) => {
    const isReadLater = (other: SessionDocument) =>
      other.path === path && other.reading > reading && (other.startByte === 0 || other.startByte === endByte)
    return endByte === undefined || documents.some(isReadLater) ? [] : [path]
  })

const mostNamed = 3

function messageOfParts(paths: readonly string[]): string {
  const others = paths.length - mostNamed
  const more = others > 0 ? ` and ${others} more` : ''
  return `Only the beginning of ${paths.slice(0, mostNamed).join(', ')}${more} was read.`
}

/** Adds a warning that the reading is unfinished. @param what subject that begins the sentence */
export function withUnfinished(
  start: ReadingStart,
  { steps, state }: Pick<RunSummary, 'steps' | 'state'>,
  what: string,
): ReadingStart {
  const how = state === 'running' ? 'is under way' : 'was stopped'
  const chunks = `${steps.toLocaleString('en-US')} ${steps === 1 ? 'chunk' : 'chunks'}`
  return withWarning(start, `${what} ${how}: the memory is that after ${chunks} of it.`)
}

function withWarning(start: ReadingStart, message: string): ReadingStart {
  const step = Math.max(0, start.steps - 1)
  const warning = {
    ...{ code: readingUnfinished, step, lastStep: step, count: 1, touchesAnswer: false },
    message,
  }
  return { ...start, warnings: [...start.warnings, warning] }
}
