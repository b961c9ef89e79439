/**
 * Why a passage with all the words of a statement does not say it: one of the two is negated, the roles are swapped, or what the
 * statement combines belongs to different things there.
 */

import { isAnotherName, isTakenApart } from './apart.ts'
import { isExchanged } from './exchanged.ts'
import { isOnlyPossible } from './hedges.ts'
import { isNegatedOtherwise } from './negation.ts'
import { isPronounSwapped, isSwapped, rolesChange } from './roles.ts'
import { isSubstituted } from './substitution.ts'
import type { Pairs, TokenText } from './token-text.ts'

type Check = (statement: TokenText, passage: TokenText, pairs: Pairs) => boolean

const checks: Readonly<Record<string, Check>> = {
  'another name': isAnotherName,
  negation: isNegatedOtherwise,
  swapped: isSwapped,
  roles: rolesChange,
  'another word': isSubstituted,
  apart: isTakenApart,
  'only possible': isOnlyPossible,
  exchanged: isExchanged,
  'swapped with a pronoun': isPronounSwapped,
}

/** Undefined if nothing speaks against it. */
export const conflictOf = (statement: TokenText, passage: TokenText, pairs: Pairs): string | undefined =>
  Object.keys(checks).find((name) => checks[name]!(statement, passage, pairs))
