/** Draws the facts of one series and those of its siblings, with numbers that are all different. */
import { TaskError } from '@memagent/core'
import { isToldApart, type TemplateChoice } from '../facts/facts.ts'
import { fillSlots } from '../facts/fill-slots.ts'
import type { Template } from '../facts/kind.ts'
import { drawName, drawOtherName, type Name } from '../facts/names.ts'
import { drawFromPool, type Split } from '../facts/pools.ts'
import { parseTemplates, templatesOf } from '../prose-task.ts'
import type { Random } from '../random.ts'
import { type Choice, type Series, series } from './series.ts'

export interface SeriesFact {
  readonly subject: string
  readonly amount: number
  readonly statement: string
  /** What is asked for: the amount with its unit, or the member of the group. */
  readonly value: string
  /** Where it stands in the statement, in UTF-16 code units. */
  readonly valueStart: number
  readonly template: string
}

export interface SeriesQuestion {
  readonly series: Series
  readonly question: Template
  readonly text: string
  readonly facts: readonly SeriesFact[]
  /** Index among the facts of the one with the highest amount. */
  readonly highest: number
  /** The same said of other subjects, one of them with a higher amount than any of the facts. */
  readonly distractors: readonly SeriesFact[]
}

export interface SeriesOptions {
  readonly choice: Choice
  readonly facts: number
  readonly distractors: number
  readonly split: Split
  /** Of statements; a held-out statement may be asked for with any question. */
  readonly templates: TemplateChoice
  readonly series: readonly string[]
}

export function drawSeries(random: Random, options: SeriesOptions): SeriesQuestion {
  const { split, templates, choice } = options
  const row = seriesNamed(random.pick(options.series))
  const subjects: string[] = []
  const newName = (draw: (random: Random) => Name): Name => {
    const name = drawFromPool(
      random,
      split,
      draw,
      ({ text }) => text,
      ({ text }) => [...subjects, ...values].every((other) => isToldApart(text, other)),
    )
    subjects.push(name.text)
    return name
  }
  const amounts = new Set<number>()
  const values: string[] = []
  const state = (subject: string, low: number, high: number): SeriesFact => {
    const amount = drawFromPool(
      random,
      split,
      (r) => r.between(low, high),
      (drawn) => `${drawn}${row.unit}`,
      (drawn) =>
        !amounts.has(drawn) &&
        (row.member !== undefined || values.every((other) => isToldApart(`${drawn}${row.unit}`, other))),
    )
    amounts.add(amount)
    const slots = { subject, value: `${amount}${row.unit}` }
    const member = row.member && newName((r) => drawName(r, row.member!)).text
    const asked = member ?? slots.value
    values.push(asked)
    const { text: template } = random.pick(templatesOf(parseTemplates(row.statements), templates))
    const { text, starts } = fillSlots(template, member === undefined ? slots : { ...slots, member })
    const valueStart = starts[member === undefined ? 'value' : 'member']!
    return {
      subject,
      amount,
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
  const question = random
    .fork('question')
    .pick(templatesOf(parseTemplates(row.questions[choice]), templates === 'train' ? 'train' : 'any'))
  return {
    series: row,
    question,
    text: fillSlots(question.text, { subject: name.text }).text,
    facts,
    highest: facts.findIndex(({ amount }) => amount === most),
    distractors,
  }
}

/** @throws TaskError that lists the known ones */
export function seriesNamed(name: string): Series {
  const row = series.find((candidate) => candidate.name === name)
  if (row === undefined) {
    throw new TaskError({
      code: 'task/unknown-series',
      message: `unknown series of facts: ${name}`,
      hint: `Known series: ${series.map((known) => known.name).join(', ')}.`,
    })
  }
  return row
}
