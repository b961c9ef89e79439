/** Draws the facts of one series and of its siblings, with all numbers different. */
import { drawApart } from '../apart-draws.ts'
import { isToldApart, type Question } from '../facts/facts.ts'
import { fillSlots } from '../facts/fill-slots.ts'
import { drawName, drawOtherName, type Name } from '../facts/names.ts'
import { drawFromPool, type Split } from '../facts/pools.ts'
import type { Random } from '../random.ts'
import { questionsFor, type TemplateChoice, templatesOf } from '../templates.ts'
import { type Choice, series } from './series.ts'

export interface SeriesFact {
  readonly subject: string
  readonly amount: number
  /** The amount with its unit. */
  readonly measured: string
  readonly statement: string
  /** The answer: the amount with its unit, or the member of the group. */
  readonly value: string
  /** Position of the value in the statement, in UTF-16 code units. */
  readonly valueStart: number
  readonly template: string
}

export interface SeriesQuestion {
  /** Name of the series. */
  readonly kind: string
  readonly question: Question
  readonly facts: readonly SeriesFact[]
  /** Index of the fact with the highest amount. */
  readonly highest: number
  /** The same about other subjects, one of them with a higher amount than any of the facts. */
  readonly distractors: readonly SeriesFact[]
}

export interface SeriesOptions {
  readonly choice: Choice
  readonly facts: number
  readonly distractors: number
  readonly split: Split
  /** Templates of the statements; a held-out statement takes any question. */
  readonly templates: TemplateChoice
  readonly series: readonly string[]
}

export function drawSeries(random: Random, options: SeriesOptions): SeriesQuestion {
  const { split, templates, choice } = options
  const wanted = random.pick(options.series)
  const row = series().find(({ name }) => name === wanted)!
  const names = drawApart(split)
  const newName = (draw: (random: Random) => Name): Name => names.take(random, draw)
  const amounts = new Map<number, string>()
  const state = (subject: string, low: number, high: number): SeriesFact => {
    const amount = drawFromPool(
      random,
      split,
      (r) => r.between(low, high),
      (drawn) => `${drawn}${row.unit}`,
      (drawn) =>
        !amounts.has(drawn) &&
        (row.member !== undefined ||
          [...amounts.values()].every((other) => isToldApart(`${drawn}${row.unit}`, other))),
    )
    const slots = { subject, value: `${amount}${row.unit}` }
    amounts.set(amount, slots.value)
    const member = row.member && newName((r) => drawName(r, row.member!)).text
    if (member === undefined) names.taken.push(slots.value)
    const { text: template } = random.pick(templatesOf(row.statements, templates))
    const { text, starts } = fillSlots(template, member === undefined ? slots : { ...slots, member })
    const valueStart = starts[member === undefined ? 'value' : 'member']!
    const asked = member ?? slots.value
    return {
      subject,
      amount,
      measured: slots.value,
      statement: text,
      value: text.slice(valueStart, valueStart + asked.length),
      valueStart,
      template,
    }
  }
  const name = newName((r) => drawName(r, row.subject))
  const facts = Array.from({ length: options.facts }, () => state(name.text, row.low, row.high))
  const most = Math.max(...facts.map(({ amount }) => amount))
  const distractors = Array.from({ length: options.distractors }, (_, i) => {
    const sibling = newName((r) => drawOtherName(r, name, (fresh) => drawName(fresh, row.subject)))
    return i === 0 ? state(sibling.text, most + 1, most + row.high) : state(sibling.text, row.low, row.high)
  })
  const { text: template, heldOut } = random
    .fork('question')
    .pick(templatesOf(row.questions[choice], questionsFor(templates)))
  return {
    kind: row.name,
    question: { text: fillSlots(template, { subject: name.text }).text, template, heldOut },
    facts,
    highest: facts.findIndex(({ amount }) => amount === most),
    distractors,
  }
}
