/** What became of a memory over one reading, from the trace: what sections about memories need once the trace is dropped. */
import { canBeNoted, containsReference, isOfNotes } from '@memagent/tasks'
import { isInReadingOrder } from '../diagnosis/fact.ts'
import type { BenchRecord } from '../record.ts'

export interface MemoryCourse {
  readonly rewrites: number
  /** Rewrites that changed the memory. */
  readonly changes: number
  /** Rewrites that started with the answer in the memory, and how many of them changed the memory; 0 if steps do not tell. */
  readonly heldRewrites: number
  readonly heldChanges: number
  /** Mean over the rewrites; NaN if steps do not tell. */
  readonly meanTokens: number
  /** 1 when the final memory holds the answer, else 0; undefined when the text has no answer, or notes cannot hold it. */
  readonly holdsAtEnd: number | undefined
  /** The same of the memory after any step. */
  readonly heldAtSomeStep: number | undefined
  /** The memory at the steps that changed it; empty when there are too many to show, or when their order is not known. */
  readonly shown: readonly { readonly step: number; readonly text: string }[]
}

const mostShown = 24

/** Between two entries of the trace, every rewrite kept the memory. @returns undefined without a trace */
export function memoryCourseOf(record: BenchRecord): MemoryCourse | undefined {
  const { match, trace, steps, sampleId } = record
  if (trace === undefined) return undefined
  const references = record.references.filter((one) => isOfNotes(sampleId, one))
  const isAnswerable = references.length > 0 && canBeNoted(sampleId)
  const held = trace.map(({ memory }) => {
    const found = references.filter((reference) => containsReference(memory, reference)).length
    return isAnswerable && (match === 'all' ? found === references.length : found > 0)
  })
  let [heldRewrites, heldChanges, tokens] = [0, 0, 0]
  trace.forEach((entry, i) => {
    const next = trace[i + 1]
    tokens += entry.tokens * ((next?.step ?? steps) - entry.step)
    if (!held[i]) return
    heldRewrites += Math.max(0, (next?.step ?? steps - 1) - entry.step)
    heldChanges += Number(next !== undefined)
  })
  const isKnown = isInReadingOrder(record)
  return {
    rewrites: steps,
    changes: trace.length,
    heldRewrites: isKnown ? heldRewrites : 0,
    heldChanges: isKnown ? heldChanges : 0,
    meanTokens: !isKnown ? Number.NaN : steps === 0 ? 0 : tokens / steps,
    holdsAtEnd: isAnswerable ? Number(held.at(-1) ?? false) : undefined,
    heldAtSomeStep: isAnswerable ? Number(held.includes(true)) : undefined,
    shown:
      !isKnown || trace.length > mostShown ? [] : trace.map(({ step, memory }) => ({ step, text: memory })),
  }
}
