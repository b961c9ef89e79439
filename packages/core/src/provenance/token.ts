/** A word or a quantity of a text, with its place. */
import type { Unit } from './words/numbers.ts'

export interface Token {
  /** In code units of the text. */
  readonly start: number
  readonly end: number
  /** Lower case. */
  readonly word: string
  /** What it is compared by. */
  readonly key: string
  /** `function`: says little by itself. `name`: a name, a code, a day of the week or a month. */
  readonly kind: 'word' | 'name' | 'number' | 'function'
  /** Of a number: what it may be; 1.200 may be 1200. */
  readonly values?: readonly number[] | undefined
  /** Of a number: that of its words, such as a million. @default 1 */
  readonly factor?: number | undefined
  /** Of a number: what it may be counted in; pounds may be money. */
  readonly units?: readonly Unit[] | undefined
  /** Says which one, and not how many; days of a month say neither. */
  readonly isOrdinal?: boolean | undefined
  /** Of a number: it names something, and another spelling of it is another name: a code 0048, version 1.10. */
  readonly isLabel?: boolean | undefined
  /** A name of a column, beside what stands in it. */
  readonly isHeader?: boolean | undefined
  readonly isNegator: boolean
  readonly isFirst: boolean
  readonly isCapital: boolean
  /** What stands between the token before and this one. */
  readonly gap: string
}

export type Made = Omit<Token, 'gap' | 'isFirst' | 'isCapital' | 'isNegator'> &
  Partial<Pick<Token, 'isNegator'>>
/** Tokens of one or several pieces. */
export interface Read {
  readonly tokens: readonly Made[]
  readonly used: number
}
