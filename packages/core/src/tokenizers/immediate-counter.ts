/** A synchronous token counter, for code that builds texts of a given length. */
import { createEstimateTokenizer } from './estimate.ts'
import type { Tokenizer } from './tokenizer.ts'

export interface ImmediateCounter {
  readonly name: string
  readonly isExact: boolean
  readonly count: (text: string) => number
}

/** The tokenizer's own count, or an estimate when there is no tokenizer or only a server can count. */
export async function createImmediateCounter(tokenizer: Tokenizer | undefined): Promise<ImmediateCounter> {
  const probe = tokenizer?.count('one two three')
  const counter = tokenizer && typeof probe === 'number' ? tokenizer : createEstimateTokenizer()
  // The server's reply to the probe is not needed.
  await Promise.resolve(probe).catch(() => undefined)
  return {
    name: counter.name,
    isExact: counter.isExact,
    count: (text) => counter.count(text) as number,
  }
}
