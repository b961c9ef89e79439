import { evidenceOf } from '../evidence.ts'
import type { AddedReward } from './added-reward.ts'

/**
 * Rewards when a reading ends (GRU-Mem, arXiv 2602.10560): 0 with the chunk in which the last evidence ends, -0.75 before,
 * -0.5 after. For a text without evidence, -0.75 unless all was read, since only its end shows that. 0 if the task does not
 * tell its evidence.
 */
export const exit: AddedReward = ({ chunks, endedEarly }, sample) => {
  const [evidence, last] = [evidenceOf(sample), chunks.at(-1)]
  if (evidence === undefined || last === undefined) return 0
  if (evidence.length === 0) return endedEarly ? -0.75 : 0
  const end = Math.max(...evidence.map(({ endByte }) => endByte))
  if (last.endByte < end) return -0.75
  return last.startByte < end ? 0 : -0.5
}
