/** A count of tokens that answers at once, for what makes texts of a length. */
import { createEstimateTokenizer } from './estimate.ts'
import type { Tokenizer } from './tokenizer.ts'

export interface ImmediateCounter {
  readonly name: string
  readonly isExact: boolean
  readonly count: (text: string) => number
}

/** The tokenizer's own count, or an estimate where there is none or only a server knows it. */
export async function createImmediateCounter(tokenizer: Tokenizer | undefined): Promise<ImmediateCounter> {
  const probe = tokenizer?.count('one two three')
  const counter = tokenizer && typeof probe === 'number' ? tokenizer : createEstimateTokenizer()
  // What the server says to it does not matter.
  await Promise.resolve(probe).catch(() => undefined)
  return {
    name: counter.name,
    isExact: counter.isExact,
    count: (text) => counter.count(text) as number,
  }
}
