/** Statements and passages as tokens, and how one is aligned with the other. */
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

/** For each token of a statement, its match in the passage; undefined if it has none. */
export type Pairs = readonly (Pairing | undefined)[]

export interface Pairing {
  /** Index in the passage. */
  readonly at: number
  readonly match: Match
}
