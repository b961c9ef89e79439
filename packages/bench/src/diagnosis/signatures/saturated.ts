import type { TracedRecord } from '../../record.ts'
import { isInReadingOrder, memoryAtEvidence } from '../fact.ts'
import type { Signature } from '../signature.ts'

/** Share of the budget from which a memory counts as full, and for how many steps in a row. */
const fullShare = 0.95
const fullSteps = 3

/**
 * The memory was full when the fact should have entered it or when it left: at least 95 % of its budget for three steps in a
 * row around that moment, or cut off at the budget itself (MemAgent, arXiv 2507.02259v2, appendix F: a memory at its limit is
 * cut off in the middle of a sentence, and a fact is lost).
 */
export const saturated: Signature = {
  name: 'saturated',
  title: 'memory full',
  definition: `The memory had ${100 * fullShare} % of its budget and more for ${fullSteps} steps in a row, or was cut off at it, when the fact should have entered or when it was lost.`,
  isIn({ record, fact, memoryBudget }) {
    if (fact === undefined || fact.isHeldAtEnd || memoryBudget === undefined) return false
    const moments =
      fact.lostAt === undefined ? [memoryAtEvidence(record.trace, fact)] : [fact.lostAt - 1, fact.lostAt]
    return moments.some((at) => at !== undefined && isFullAround(record, at, memoryBudget))
  },
}

function isFullAround(record: TracedRecord, at: number, budget: number): boolean {
  const { trace, steps } = record
  const isFull = (i: number) => trace[i] !== undefined && trace[i].tokens >= fullShare * budget
  if (!isFull(at)) return false
  if (trace[at]!.tokens >= budget) return true
  if (!isInReadingOrder(record)) return false
  let [first, last] = [at, at]
  while (isFull(first - 1)) first -= 1
  while (isFull(last + 1)) last += 1
  return (trace[last + 1]?.step ?? steps) - trace[first]!.step >= fullSteps
}
