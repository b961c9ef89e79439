/** Stores the readings of several questions as the state of one checkpoint. */

import { isObject } from '../json-shape.ts'
import {
  type Checkpoint,
  checkpointVersion,
  type DocumentPosition,
  type LogEntry,
} from '../reading/checkpoint.ts'
import { logEntry } from '../reading/checkpoint-shape.ts'
import { checkedCheckpoint, damagedCheckpoint } from '../reading/parse-checkpoint.ts'
import { TextHash } from '../reading/text-hash.ts'
import { totalUsage } from '../reading/usage.ts'
import type { Json } from '../workflows/workflow.ts'

type ConversationEntry = Extract<LogEntry, { type: 'conversation' }>

export interface KeptReading {
  /** Undefined if it has not begun. */
  readonly saved: Omit<Checkpoint, 'identity' | 'version'> | undefined
  /** Conversations that no saved step has taken. */
  readonly pending: readonly ConversationEntry[]
}

export const noReading: KeptReading = { saved: undefined, pending: [] }

/** The checkpoint of all readings, at the position of the least advanced. */
export function wholeCheckpoint(
  readings: readonly KeptReading[],
  fields: Pick<Checkpoint, 'identity' | 'sequence' | 'memoryLogLength'>,
): Checkpoint {
  const saved = readings.flatMap((reading) => reading.saved ?? [])
  const positions = saved.map(({ position }) => position).sort((a, b) => a.ordinal - b.ordinal)
  return {
    version: checkpointVersion,
    ...fields,
    steps: saved.reduce((total, { steps }) => total + steps, 0),
    position: saved.length < readings.length ? start : positions[0]!,
    state: { questions: readings } as unknown as Json,
    usage: totalUsage(saved.map(({ usage }) => usage)),
    seconds: Math.max(0, ...saved.map(({ seconds }) => seconds)),
    warnings: [],
    isDone: saved.length === readings.length && saved.every(({ isDone }) => isDone),
  }
}

const start: DocumentPosition = { ordinal: 0, characters: 0, textHash: new TextHash().value }

/**
 * The checkpoint of each question, from that of all; undefined for one that has not begun.
 * @throws CheckpointError if it is not of so many questions
 */
export function checkpointsOfQuestions(
  { state, identity, version }: Checkpoint,
  questions: number,
): readonly (Checkpoint | undefined)[] {
  const readings = keptReadings(state, questions)
  if (typeof readings === 'string') throw damagedCheckpoint(undefined, readings)
  return readings.map(({ saved }) => saved && checkedCheckpoint({ ...saved, identity, version }, undefined))
}

/** @returns what is wrong if the state is not of so many questions; each reading checks its own checkpoint */
export function keptReadings(state: Json, questions: number): KeptReading[] | string {
  const kept = isObject(state) ? state.questions : undefined
  if (!Array.isArray(kept) || kept.length !== questions)
    return `its state is not that of ${questions === 1 ? 'one question' : `${questions} questions`}`
  for (const [i, reading] of kept.entries()) {
    const what = `its reading of question ${i + 1}`
    if (!isObject(reading) || !Array.isArray(reading.pending)) return `${what} is none`
    const problem = reading.pending.map((entry) => logEntry(entry, `${what}`)).find(Boolean)
    if (problem !== undefined) return problem
    if (reading.saved !== undefined && !isObject(reading.saved)) return `${what} is none`
  }
  return kept as KeptReading[]
}
