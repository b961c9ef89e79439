/** A wanted fact and its fate during the reading. */
import type { ByteRange } from '@memagent/core'
import { containsReference, isOfNotes } from '@memagent/tasks'
import type { TraceEntry } from '../method.ts'
import type { BenchRecord, TracedRecord } from '../record.ts'

/** Whether the steps of a trace are in order, so that they tell how long a memory was held. */
export const isInReadingOrder = ({ trace = [] }: Pick<BenchRecord, 'trace'>): boolean =>
  trace.every(({ step }, i) => i === 0 || trace[i - 1]!.step < step)

export interface Fact {
  /** Any of these states the fact. */
  readonly references: readonly string[]
  /** Those of them that a memory may hold. */
  readonly ofNotes: readonly string[]
  /** Where the document states it; empty when the task does not know. */
  readonly evidence: readonly ByteRange[]
}

export interface FactCourse extends Fact {
  /**
   * Whether some prompt contained a complete statement; undefined if prompts left out parts of the document and the task does
   * not know where its statements are.
   */
  readonly wasSeen: boolean | undefined
  /** Index of the first trace entry whose memory holds the fact. */
  readonly capturedAt: number | undefined
  /** Index of the entry that lost the fact for good. */
  readonly lostAt: number | undefined
  readonly isHeldAtEnd: boolean
  /** Rewrites of a memory that held the fact, and how many of them lost it. */
  readonly heldRewrites: number
  readonly losses: number
}

/** `any`: one fact, stated by any reference; `all`: each reference is a fact. Empty when nothing is wanted. */
export function factsOf({ references, match, evidence, sampleId }: BenchRecord): Fact[] {
  if (references.length === 0) return []
  const ofNotes = (all: readonly string[]) => all.filter((one) => isOfNotes(sampleId, one))
  if (match === 'any') return [{ references, ofNotes: ofNotes(references), evidence }]
  const isAligned = evidence.length === references.length
  return references.map((reference, i) => ({
    references: [reference],
    ofNotes: ofNotes([reference]),
    evidence: isAligned ? [evidence[i]!] : evidence,
  }))
}

export const states = (text: string, { references }: Pick<Fact, 'references'>): boolean =>
  references.some((reference) => containsReference(text, reference))

/** The trace holds only steps that changed the memory; between them it stayed the same. */
export function courseOf(fact: Fact, { trace, steps, seen }: TracedRecord): FactCourse {
  const held = trace.map(({ memory }) => states(memory, { references: fact.ofNotes }))
  let [heldRewrites, losses] = [0, 0]
  let lostAt: number | undefined
  held.forEach((isHeld, i) => {
    const nextStep = trace[i + 1]?.step ?? steps - 1
    if (isHeld) heldRewrites += Math.max(0, nextStep - trace[i]!.step)
    if (i > 0 && held[i - 1] && !isHeld) {
      losses += 1
      lostAt = i
    }
  })
  const isHeldAtEnd = held.at(-1) ?? false
  const capturedAt = held.indexOf(true)
  return {
    ...fact,
    wasSeen: wasSeen(fact, seen),
    capturedAt: capturedAt < 0 ? undefined : capturedAt,
    lostAt: isHeldAtEnd ? undefined : lostAt,
    isHeldAtEnd,
    heldRewrites,
    losses,
  }
}

/** Whether this step read any byte of the evidence. */
export const readsEvidence = ({ startByte, endByte }: TraceEntry, { evidence }: Fact): boolean =>
  startByte !== undefined &&
  endByte !== undefined &&
  evidence.some((range) => startByte < range.endByte && range.startByte < endByte)

/**
 * Index of the last entry that starts before the evidence ends: its memory is the one held once the evidence had been read.
 * Undefined if the memory was still empty or the evidence is unknown.
 */
export function memoryAtEvidence(trace: readonly TraceEntry[], { evidence }: Fact): number | undefined {
  const end = evidence.at(-1)?.endByte
  if (end === undefined) return undefined
  const index = trace.findLastIndex(({ startByte }) => startByte !== undefined && startByte < end)
  return index < 0 ? undefined : index
}

function wasSeen({ evidence }: Fact, seen: BenchRecord['seen']): boolean | undefined {
  if (seen === undefined) return true
  return evidence.length === 0 ? undefined : evidence.some((range) => covers(seen, range))
}

/** Whether the ranges together cover the wanted one. */
function covers(ranges: readonly ByteRange[], wanted: ByteRange): boolean {
  let at = wanted.startByte
  for (const { startByte, endByte } of [...ranges].sort((a, b) => a.startByte - b.startByte)) {
    if (startByte > at) break
    at = Math.max(at, endByte)
  }
  return at >= wanted.endByte
}
