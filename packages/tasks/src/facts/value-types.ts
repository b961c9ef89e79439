/** Value types of facts by name: every function of `codes.ts` and `values.ts`. */
import * as codes from './codes.ts'
import * as values from './values.ts'
import type { DrawText } from './words.ts'

export const valueTypes: Readonly<Record<string, DrawText>> = { ...codes, ...values }
