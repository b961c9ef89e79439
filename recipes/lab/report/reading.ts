/** What the report needs of one recorded reading; the record itself may hold the notes of 27,000 steps. */
import { type BenchRecord, readRecordLines } from '@memagent/bench'
import { containsReference } from '@memagent/tasks'

export interface Reading {
  readonly method: string
  readonly lengthTokens: number
  readonly index: number
  readonly question: string
  readonly references: readonly string[]
  readonly documentBytes: number
  readonly answer: string
  readonly strict: number
  readonly lenient: number
  readonly hasFailed: boolean
  /** Whether the final memory holds the reference; undefined where there is nothing to be found. */
  readonly inMemory: number | undefined
  /** Whether the memory after some step held it. */
  readonly wasInMemory: number | undefined
  readonly rewrites: number
  readonly changes: number
  /** Rewrites with the reference in the memory before; those of them that changed the memory, and that lost it. */
  readonly heldRewrites: number
  readonly heldChanges: number
  readonly losses: number
  /** Mean over the rewrites. */
  readonly memoryTokens: number
  /** Memories where they changed; empty when they are too many to show. */
  readonly memories: readonly { readonly step: number; readonly text: string }[]
}

const shownMemories = 24

/** @returns readings in order of the questions, the last of each; undefined when there is no such file */
export async function readReadings(path: string): Promise<Reading[] | undefined> {
  const readings = new Map<string, Reading>()
  try {
    for await (const line of readRecordLines(path)) {
      if ('record' in line) readings.set(line.record.key, digest(line.record))
    }
  } catch (cause) {
    if (((cause as Error).cause as NodeJS.ErrnoException | undefined)?.code === 'ENOENT') return undefined
    throw cause
  }
  return readings.size === 0 ? undefined : [...readings.values()].sort((a, b) => a.index - b.index)
}

/** The trace has the memories where they changed: between two entries every rewrite kept what was there. */
export function digest(record: BenchRecord): Reading {
  const { references, match, trace, steps } = record
  const isAnswerable = references.length > 0
  const holds = (memory: string) => {
    const held = references.filter((reference) => containsReference(memory, reference)).length
    return isAnswerable && (match === 'all' ? held === references.length : held > 0)
  }
  const held = trace.map(({ memory }) => holds(memory))
  let [heldRewrites, heldChanges, losses, tokens] = [0, 0, 0, 0]
  trace.forEach((entry, i) => {
    const next = trace[i + 1]
    tokens += entry.tokens * ((next?.step ?? steps) - entry.step)
    if (!held[i]) return
    heldRewrites += (next?.step ?? steps - 1) - entry.step
    heldChanges += next ? 1 : 0
    losses += next && !held[i + 1] ? 1 : 0
  })
  return {
    method: record.method,
    lengthTokens: record.lengthTokens,
    index: record.index,
    question: record.question,
    references,
    documentBytes: record.documentBytes,
    answer: record.answer,
    strict: record.metrics.strict ?? 0,
    lenient: record.metrics.lenient ?? 0,
    hasFailed: record.error !== undefined,
    inMemory: isAnswerable ? Number(held.at(-1) ?? false) : undefined,
    wasInMemory: isAnswerable ? Number(held.includes(true)) : undefined,
    rewrites: steps,
    changes: trace.length,
    heldRewrites,
    heldChanges,
    losses,
    memoryTokens: steps === 0 ? 0 : tokens / steps,
    memories: trace.length > shownMemories ? [] : trace.map(({ step, memory }) => ({ step, text: memory })),
  }
}
