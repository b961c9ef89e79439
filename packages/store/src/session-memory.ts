/** The current memory of a session, for questions. */
import type { ReadingStart } from '@memagent/core'
import type { RunStore, RunSummary } from './run-store.ts'
import type { SessionStore, SessionSummary } from './session-store.ts'

/** Code of the warning that a reading into the session is not finished. */
export const readingUnfinished = 'reading-unfinished'

/** The memory so far, with a warning if a reading is unfinished. @returns undefined if nothing was read @throws StoreError */
export async function sessionMemory(
  store: Pick<RunStore, 'load'> & { readonly sessions: Pick<SessionStore, 'start'> },
  { name, unfinished }: Pick<SessionSummary, 'name' | 'unfinished'>,
): Promise<ReadingStart | undefined> {
  const start = await store.sessions.start(name)
  if (!start || unfinished === undefined) return start
  const reading = await store.load(unfinished)
  return withUnfinished(start, reading, 'A reading of the session')
}

/** Adds a warning that the reading is unfinished. @param what subject that begins the sentence */
export function withUnfinished(
  start: ReadingStart,
  { steps, state }: Pick<RunSummary, 'steps' | 'state'>,
  what: string,
): ReadingStart {
  const how = state === 'running' ? 'is under way' : 'was stopped'
  const chunks = `${steps.toLocaleString('en-US')} ${steps === 1 ? 'chunk' : 'chunks'}`
  const step = Math.max(0, start.steps - 1)
  const warning = {
    ...{ code: readingUnfinished, step, lastStep: step, count: 1, touchesAnswer: false },
    message: `${what} ${how}: the memory is that after ${chunks} of it.`,
  }
  return { ...start, warnings: [...start.warnings, warning] }
}
