/** Tokens as a statement or a passage, and how one is laid beside the other. */
import { clausesOf } from './clauses.ts'
import type { Match } from './compare.ts'
import type { Token } from './token.ts'

/** Tokens with the clause and the sentence of each. */
export interface TokenText {
  readonly tokens: readonly Token[]
  readonly clauses: readonly number[]
  readonly sentences: readonly number[]
}

export const tokenText = (tokens: readonly Token[], sentences?: readonly number[]): TokenText => ({
  tokens,
  clauses: clausesOf(tokens),
  sentences: sentences ?? tokens.map(() => 0),
})

/** For each token of a statement its place in the passage; undefined: it is not there. */
export type Pairs = readonly (Pairing | undefined)[]

export interface Pairing {
  /** Place in the passage. */
  readonly at: number
  readonly match: Match
}
