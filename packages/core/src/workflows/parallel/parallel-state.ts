/** The state of a reading with `parallel`, and the check of one from a checkpoint. */
import { aCount, aFlag, aText, listOf, objectOf } from '../../json-shape.ts'
import { stateCheck } from '../state-check.ts'
import type { Note } from './parallel-notes.ts'

/** As in PI-Mem, where more passes gained nothing. */
export const mostPasses = 3

export type ParallelState = {
  readonly question: string | null
  /** As sampled, trimmed; all chunks of a pass are read against it. Empty while nothing is noted. */
  readonly memory: string
  /** Reports of this pass that are not in the memory yet, or notes merged from them, in the order of the text. */
  readonly notes: readonly Note[]
  /** Chunks of the text; 0 in the first pass, which counts them. */
  readonly chunks: number
  /** Passes completed. */
  readonly pass: number
  /** Chunks read in the current pass. */
  readonly ordinal: number
  /** The current pass has no more chunks; only merges are left. */
  readonly isRead: boolean
  /** Chunks read over all passes. */
  readonly steps: number
  readonly isDone: boolean
}

export const isParallelState = stateCheck<ParallelState>(
  {
    memory: aText,
    notes: listOf(objectOf<Note>({ step: aCount, level: aCount, text: aText })),
    chunks: aCount,
    pass: aCount,
    ordinal: aCount,
    isRead: aFlag,
    isDone: aFlag,
  },
  ({ memory, notes, chunks, pass, ordinal, isRead, steps, isDone }, { isDone: isReadingDone = false }) => {
    const last = pass === 0 ? steps : chunks
    return (
      memory === memory.trim() &&
      (pass > 0 || chunks === 0) &&
      steps === pass * chunks + ordinal &&
      (isRead ? ordinal === last : ordinal <= last) &&
      (isDone || !isReadingDone) &&
      (isDone ? pass > 0 && ordinal === 0 && !isRead && notes.length === 0 : pass < mostPasses) &&
      pass <= mostPasses &&
      notes.every(({ step, text }, i) => text !== '' && step > (notes[i - 1]?.step ?? -1) && step < ordinal)
    )
  },
)
