/** The current memory of a run, for later questions. */
import { type LogEntry, type ReadingStart, startAfter } from '@memagent/core'
import type { Queries } from './database.ts'
import { parsed } from './parsed.ts'
import type { ReadableRuns } from './run-of-question.ts'

type MemoryEntry = Extract<LogEntry, { type: 'memory' }>

/**
 * @param runs in which the run is that of one question @param question number among several, from 0
 * @returns undefined if nothing was read
 */
export async function memoryOf(
  queries: Queries,
  runs: ReadableRuns,
  id: string,
  question: number | undefined,
): Promise<ReadingStart | undefined> {
  const { id: whole, checkpoint, question: text } = await runs.load(id)
  if (!checkpoint) return undefined
  const rows = await queries.all('SELECT entry FROM memories WHERE run = ? ORDER BY number', whole)
  const memories = rows
    .map((row) => parsed<MemoryEntry>(row.entry, `of run ${whole}`))
    .filter(({ of }) => of?.question === question)
    // A step that was not saved may have left entries beyond the checkpoint.
    .slice(0, checkpoint.memoryLogLength)
    .map(({ step, text }) => ({ step, text }))
  const start = startAfter(checkpoint, memories)
  return question === undefined || text === undefined ? start : { ...start, question: text }
}
