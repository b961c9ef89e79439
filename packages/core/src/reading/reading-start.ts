/** Readings that go on from the memory of earlier ones. Their steps continue the count, so each is unique over all readings. */
import { canonicalJson } from '../canonical-json.ts'
import { ConfigurationError } from '../errors.ts'
import type { ProvenanceState } from '../provenance/provenance.ts'
import type { Json, MemoryLogEntry, Workflow, WorkflowEvent } from '../workflows/workflow.ts'
import type { MemorySize } from './adaptive-memory.ts'
import type { Checkpoint } from './checkpoint.ts'
import { type EarlierReadings, withEarlier } from './earlier-readings.ts'
import { hashOf } from './text-hash.ts'

/** JSON, but of any size: the log of old memories grows with the texts. */
export interface ReadingStart extends Omit<EarlierReadings, 'memories'> {
  /** The workflow's state. */
  readonly state: Json
  readonly memories: readonly MemoryLogEntry[]
  /** Only if the memory adapts. */
  readonly memorySize?: MemorySize | undefined
  /** Only if the readings found sources. */
  readonly provenance?: ProvenanceState | undefined
}

/**
 * The start of a reading of further texts.
 * @param checkpoint the last one of the reading before, with `earlier` if that went on from others
 * @param memories the log of old memories of all of them
 */
export function startAfter(checkpoint: Checkpoint, memories: readonly MemoryLogEntry[] = []): ReadingStart {
  const { identity, earlier, state, steps, usage, warnings, memorySize, provenance } = checkpoint
  const question = earlier ? earlier.question : (identity.question as string | undefined)
  return {
    ...(question === undefined ? {} : { question }),
    state,
    steps: (earlier?.steps ?? 0) + steps,
    bytes: (earlier?.bytes ?? 0) + usage.bytes,
    keptMemories: (earlier?.keptMemories ?? 0) + usage.keptMemories,
    // The warnings of an answer already include the earlier ones.
    warnings: checkpoint.answer ? warnings : withEarlier(earlier, warnings),
    memories,
    ...(memorySize && { memorySize }),
    ...(provenance && { provenance }),
  }
}

export function earlierReadings({
  question,
  steps,
  bytes,
  keptMemories,
  memories,
  warnings,
}: ReadingStart): EarlierReadings {
  return {
    ...(question === undefined ? {} : { question }),
    ...{ steps, bytes, keptMemories, memories: memories.length, warnings },
  }
}

/** Equal for equal memories. */
export const startIdentity = ({ state, question, steps }: ReadingStart): string =>
  `${steps} ${hashOf(canonicalJson({ state, question: question ?? null }))}`

/**
 * Checks that a memory of this workflow can go on with further texts.
 * @throws ConfigurationError if it has its own loop over a whole text, or may leave the rest of a text unread
 */
export function requireGoingOn({ name, run, mayEndEarly }: Workflow): void {
  if (!run && !mayEndEarly) return
  throw new ConfigurationError({
    code: 'reading/cannot-go-on',
    message: run
      ? `The workflow ${name} needs the whole text at once: its memory cannot be extended with later texts.`
      : `The workflow ${name} may end before the end of a text: a memory that goes on has to read every text whole.`,
    hint: run ? 'Choose another one (--workflow overwrite).' : 'Choose another one (--workflow gated).',
    details: { workflow: name },
  })
}

/** The warning for a question that the memory was not kept for. */
export function ofOtherNotes({ question, steps }: ReadingStart): Extract<WorkflowEvent, { type: 'warning' }> {
  const message =
    question === undefined
      ? 'The notes were taken without a question, so they may leave out what this one asks for.'
      : 'The memory was kept for another question, so it may leave out what this one asks for.'
  return { type: 'warning', step: Math.max(0, steps - 1), code: 'notes-of-another-question', message }
}

/** The warning for sources of text that was read without looking for them: its passages are not known. */
export function withoutSources(
  before: Pick<ReadingStart, 'steps' | 'provenance'> | undefined,
): Extract<WorkflowEvent, { type: 'warning' }> | undefined {
  if (!before || before.steps === 0 || before.provenance) return undefined
  const message = 'No sources are told: the reading was begun without looking for them.'
  return { type: 'warning', step: before.steps - 1, code: 'sources-unknown', message }
}
