/** Draws a change: told as it happens, or announced with a condition that the text may later say holds or fails. */
import type { ApartDraws } from '../apart-draws.ts'
import { fillTemplate } from '../facts/fill.ts'
import type { Template } from '../facts/kind.ts'
import { drawName, drawOtherName, type Name } from '../facts/names.ts'
import type { Split } from '../facts/pools.ts'
import type { Statement } from '../prose/plant-statements.ts'
import type { Random } from '../random.ts'
import { type TemplateChoice, templatesOf } from '../templates.ts'
import { announce, type Condition, type StateKind, states } from './state-kinds.ts'

/** `told`: without a condition. `open`: the text does not say whether its condition holds. */
export type Fate = 'told' | 'holds' | 'fails' | 'open'

export interface Change {
  readonly fate: Fate
  readonly value: string
  /** The change or its announcement, then the outcome of its condition. */
  readonly statements: readonly Statement[]
  /** What and whom it depends on; undefined if it was told as it happened. */
  readonly condition: { readonly kind: Condition; readonly party: Name; readonly clause: string } | undefined
}

export interface Telling {
  readonly random: Random
  readonly kind: StateKind
  readonly split: Split
  readonly templates: TemplateChoice
  /** Draws names and values that differ from all others of the sample. */
  readonly apart: ApartDraws
}

/** Occurs in no text: stands in for the value in sentences without one. */
const noValue = '\u0000'

/** @param like a change with the same kind of condition, for somebody with a similar name */
export function drawChange(telling: Telling, subject: string, fate: Fate, like?: Change): Change {
  const { random, kind, templates, apart } = telling
  const { text: value } = apart.take(random, (from) => ({ text: kind.value(from) }))
  const pick = (list: readonly Template[]) => random.pick(templatesOf(list, templates)).text
  if (fate === 'told') {
    const statements = [state(telling, pick(kind.statements), subject, value)]
    return { fate, value, statements, condition: undefined }
  }
  const condition = like?.condition?.kind ?? random.pick(states().conditions)
  const party = apart.take(random, (from) =>
    like?.condition
      ? drawOtherName(from, like.condition.party, (fresh) => drawName(fresh, condition.party))
      : drawName(from, condition.party),
  )
  const named = (template: string) => template.replaceAll('{party}', party.text)
  const clause = named(pick(condition.clauses))
  const frame = pick(states().conditionals)
  // Values are not capitalized, so they cannot start a sentence.
  const effects = kind.effects.filter(
    ({ text }) => !(frame.startsWith('{Effect}') && text.startsWith('{value}')),
  )
  const announcement = state(telling, announce(frame, clause, pick(effects)), subject, value)
  if (fate === 'open')
    return { fate, value, statements: [announcement], condition: { kind: condition, party, clause } }
  const { statement } = state(telling, named(pick(condition[fate])), subject, noValue)
  const outcome = { statement, value: party.text, valueStart: statement.indexOf(party.text) }
  return { fate, value, statements: [announcement, outcome], condition: { kind: condition, party, clause } }
}

export function state(
  { random, split }: Telling,
  template: string,
  subject: string,
  value: string,
): Statement {
  const { text: statement, valueStart } = fillTemplate(template, { random, split, subject, value })
  return { statement, value, valueStart }
}
