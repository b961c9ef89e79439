/** A word or a quantity of a text, with its place. */
import type { Unit } from './words/numbers.ts'

export interface Token {
  /** In code units of the text. */
  readonly start: number
  readonly end: number
  /** Lower case. */
  readonly word: string
  /** The form that is compared. */
  readonly key: string
  /** `function`: says little by itself. `name`: a name, code, weekday or month. */
  readonly kind: 'word' | 'name' | 'number' | 'function'
  /** For a number: its possible values; 1.200 may be 1200. */
  readonly values?: readonly number[] | undefined
  /** For a number: the factor of its words, such as a million. @default 1 */
  readonly factor?: number | undefined
  /** For a number: its possible units; pounds may be money. */
  readonly units?: readonly Unit[] | undefined
  /** It says which one, not how many; days of a month say neither. */
  readonly isOrdinal?: boolean | undefined
  /** For a number: it names something, and spelled differently it names something else, such as code 0048 or version 1.10. */
  readonly isLabel?: boolean | undefined
  /** A column name next to its value. */
  readonly isHeader?: boolean | undefined
  readonly isNegator: boolean
  readonly isFirst: boolean
  readonly isCapital: boolean
  /** The text between the previous token and this one. */
  readonly gap: string
}

export type Made = Omit<Token, 'gap' | 'isFirst' | 'isCapital' | 'isNegator'> &
  Partial<Pick<Token, 'isNegator'>>
/** Tokens of one or several pieces. */
export interface Read {
  readonly tokens: readonly Made[]
  readonly used: number
}
