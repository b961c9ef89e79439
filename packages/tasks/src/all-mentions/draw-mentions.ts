/** Draws what is said of one subject: its mentions, some of them again, lures about the same subject, and others' mentions. */
import { isToldApart, type TemplateChoice } from '../facts/facts.ts'
import { fillTemplate } from '../facts/fill.ts'
import type { Template } from '../facts/kind.ts'
import { drawFromPool, type Split } from '../facts/pools.ts'
import type { PlacedStatement } from '../prose/plant-statements.ts'
import { templatesOf } from '../prose-task.ts'
import type { Random } from '../random.ts'
import { drawCollection } from '../several-values.ts'
import type { MentionRelation } from './relations.ts'

export type Stated = Omit<PlacedStatement, 'depth'>

export interface Mentions {
  readonly subject: string
  /** One for each value that is wanted. */
  readonly mentions: readonly Stated[]
  /** Some of these values once more. */
  readonly repeats: readonly Stated[]
  /** The same subject with values that are not wanted. */
  readonly lures: readonly Stated[]
  /** Mentions of other subjects; every second one has a name like the one asked for. */
  readonly distractors: readonly Stated[]
}

export interface MentionCounts {
  readonly mentions: number
  readonly repeats: number
  readonly lures: number
  readonly distractors: number
}

/** No value that is wanted contains another, or is in a statement that does not mention it. */
export function drawMentions(
  random: Random,
  relation: MentionRelation,
  counts: MentionCounts,
  split: Split,
  isHeldOut: boolean,
): Mentions {
  const templates: TemplateChoice = isHeldOut ? 'held-out' : 'train'
  const drawn = drawCollection(
    random.fork('mentions'),
    relation,
    counts.mentions,
    counts.distractors,
    split,
    isHeldOut,
  )
  const { subject, statements } = drawn
  const state = (from: Random, candidates: readonly Template[], value: string): Stated => {
    const template = from.pick(candidates)
    const { text, valueStart } = fillTemplate(template.text, { random: from, split, subject, value })
    return { statement: text, value, valueStart }
  }
  const again = random.fork('repeats')
  const repeated = again.shuffle(statements).slice(0, counts.repeats)
  const lured = random.fork('lures')
  const taken = [subject, ...statements.map(({ value }) => value)]
  const lures = Array.from({ length: counts.lures }, () => {
    const value = drawFromPool(
      lured,
      split,
      relation.value,
      (text) => text,
      (text) => taken.every((other) => isToldApart(text, other)),
    )
    taken.push(value)
    return state(lured, templatesOf(relation.lures, isHeldOut ? 'any' : 'train'), value)
  })
  return {
    subject,
    mentions: statements,
    repeats: repeated.map(({ value }) => state(again, templatesOf(relation.statements, templates), value)),
    lures,
    distractors: drawn.distractors,
  }
}
