/** The memory that a run has come to, for questions that are asked of it later. */
import { type LogEntry, type ReadingStart, startAfter } from '@memagent/core'
import type { Queries } from './database.ts'
import { parsed } from './parsed.ts'
import type { ReadableRuns } from './run-of-question.ts'

type MemoryEntry = Extract<LogEntry, { type: 'memory' }>

/**
 * @param runs in which the run is that of one question @param question of several, from 0
 * @returns undefined where nothing was read
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
    // Behind the checkpoint stands what a step that was not saved has left.
    .slice(0, checkpoint.memoryLogLength)
    .map(({ step, text }) => ({ step, text }))
  const start = startAfter(checkpoint, memories)
  return question === undefined || text === undefined ? start : { ...start, question: text }
}
