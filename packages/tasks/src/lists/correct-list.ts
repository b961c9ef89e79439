/** Values of a list that the text later corrects; the new value holds. */
import { drawApart } from '../apart-draws.ts'
import { corrections } from '../corrections.ts'
import { fillSlots } from '../facts/fill-slots.ts'
import type { Split } from '../facts/pools.ts'
import type { Statement } from '../prose/plant-statements.ts'
import type { Random } from '../random.ts'
import { type TemplateChoice, templatesOf } from '../templates.ts'
import type { DrawnList } from './draw-list.ts'
import type { ListKind } from './list-kinds.ts'

export interface CorrectedItem {
  /** Index among the items of the list. */
  readonly item: number
  /** Says which value is wrong and which is right. */
  readonly correction: Statement
}

/** @param count at most the number of items */
export function correctList(
  random: Random,
  { subject, items, distractors }: DrawnList,
  kind: ListKind,
  count: number,
  split: Split,
  choice: TemplateChoice,
): CorrectedItem[] {
  const apart = drawApart(split)
  apart.taken.push(subject, ...[...items, ...distractors].map(({ value }) => value))
  // "An earlier statement was wrong" does not say which one.
  const suitable = corrections().filter(({ text }) => text.includes('{old}'))
  return random
    .shuffle(items.map((_, i) => i))
    .slice(0, count)
    .map((item) => {
      const { text: value } = apart.take(random, (from) => ({ text: kind.value(from) }))
      const { text: template } = random.pick(templatesOf(suitable, choice))
      const { text, starts } = fillSlots(template, { subject, old: items[item]!.value, new: value })
      return { item, correction: { statement: text, value, valueStart: starts.new! } }
    })
}
