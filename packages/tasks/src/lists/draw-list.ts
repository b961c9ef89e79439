/** Draws statements about a subject, one value each: the wanted ones, repeats and lures; and statements about other subjects. */
import { drawApart } from '../apart-draws.ts'
import { fillTemplate } from '../facts/fill.ts'
import type { Template } from '../facts/kind.ts'
import { drawName, drawOtherName } from '../facts/names.ts'
import type { Split } from '../facts/pools.ts'
import type { Statement } from '../prose/plant-statements.ts'
import type { Random } from '../random.ts'
import { questionsFor, type TemplateChoice, templatesOf } from '../templates.ts'
import type { ListKind } from './list-kinds.ts'

export interface ListCounts {
  readonly items: number
  readonly repeats: number
  readonly lures: number
  readonly distractors: number
}

export interface DrawnList {
  readonly subject: string
  /** One per wanted value. */
  readonly items: readonly Statement[]
  /** Some of the wanted values again. */
  readonly repeats: readonly Statement[]
  /** The same subject with values that do not count. */
  readonly lures: readonly Statement[]
  /** The same about other subjects, half of which have a similar name. */
  readonly distractors: readonly (Statement & { readonly subject: string })[]
}

/**
 * No wanted value contains another, or occurs in another's statement.
 * @param random for the wanted values and the distractors
 * @param further for repeats and lures
 */
export function drawList(
  random: Random,
  further: Random,
  kind: ListKind,
  counts: ListCounts,
  split: Split,
  choice: TemplateChoice,
): DrawnList {
  const apart = drawApart(split)
  const drawValue = (from: Random) => ({ text: kind.value(from) })
  const state = (
    from: Random,
    candidates: readonly Template[],
    subject: string,
    value: string,
  ): Statement => {
    const suitable = candidates.filter(({ text }) => !(text.startsWith('{value}') && /^\p{Ll}/u.test(value)))
    const { text, valueStart } = fillTemplate(from.pick(suitable).text, {
      random: from,
      split,
      subject,
      value,
    })
    return { statement: text, value, valueStart }
  }
  const told = templatesOf(kind.statements, choice)
  const subjectClass = random.pick(kind.subjects)
  const name = apart.take(random, (from) => drawName(from, subjectClass))
  const items = Array.from({ length: counts.items }, () =>
    state(random, told, name.text, apart.take(random, drawValue).text),
  )
  const wanted = items.map(({ value }) => value)
  const distractors = Array.from({ length: counts.distractors }, (_, i) => {
    const { text: subject } = apart.take(random, (from) =>
      i % 2 === 0
        ? drawOtherName(from, name, (fresh) => drawName(fresh, subjectClass))
        : drawName(from, subjectClass),
    )
    // Some kinds have few values, such as languages: two distractors may share one unless it is wanted.
    return { ...state(random, told, subject, apart.draw(random, drawValue).text), subject }
  })
  const again = further.fork('repeats')
  const repeats = again
    .shuffle(items)
    .slice(0, counts.repeats)
    .map(({ value }) => state(again, told, name.text, value))
  const lured = further.fork('lures')
  const apartFromWanted = drawApart(split)
  apartFromWanted.taken.push(name.text, ...wanted)
  const lures = Array.from({ length: counts.lures }, () => {
    const { text: value } = apartFromWanted.take(lured, drawValue)
    return state(lured, templatesOf(kind.lures, questionsFor(choice)), name.text, value)
  })
  return { subject: name.text, items, repeats, lures, distractors }
}
