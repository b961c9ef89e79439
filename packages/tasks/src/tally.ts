/**
 * Tallies: something happens to a subject several times, each time with an amount, and the question asks how often, or how
 * much in total. No statement contains the answer: the reader must keep a running count or total. Lures tell of things that
 * did not happen, and the same happens to other subjects, half of them with a similar name.
 */
import { z } from 'zod'
import { lazy, loadData } from './data/load-data.ts'
import { fillTemplate } from './facts/fill.ts'
import { questions } from './facts/kind.ts'
import { drawList } from './lists/draw-list.ts'
import { listKindRow, listKinds } from './lists/list-kinds.ts'
import type { Statement } from './prose/plant-statements.ts'
import { defineProseTask, type StatementNote } from './prose-task.ts'
import { count, counts, kindNames, kindOf, oneOrSeveral } from './settings/task-options.ts'
import { questionsFor, templatesOf } from './templates.ts'

/** Lists of amounts: `questions` ask for their number, `totals` for their sum. */
export const tallies = lazy(() =>
  loadData('tally.yaml', listKinds(listKindRow.safeExtend({ unit: z.string(), totals: questions }))),
)

const measure = z.enum(['count', 'total'])

const numerals = 'zero one two three four five six seven eight nine ten eleven twelve'.split(' ')

export const tally = defineProseTask({
  name: 'tally',
  description: 'How often something happened to a subject in the whole text, or how much it came to in all.',
  options: {
    measure: oneOrSeveral(measure)
      .default(measure.options)
      .describe(
        'What the question wants: how often it happened, or the sum of the amounts. From a list, each sample draws one.',
      ),
    events: counts(1, numerals.length - 1)
      .default([2, 3, 4, 5, 6, 7, 8])
      .meta({
        description: 'How often it happens: a number, or a list to draw from.',
        defaultIs: '2 to 8',
      }),
    lures: count(0).default(2).describe('Sentences about the same subject with nothing to count.'),
    distractors: count(0)
      .default(4)
      .describe('Events of the same kind that concern other subjects, half of which have a similar name.'),
    kinds: kindNames(tallies),
  },
  draw({ asked, placed, settings, templates }) {
    const { split, lures, distractors } = settings
    const wanted = asked.fork('measure').pick([settings.measure].flat())
    const items = asked.fork('events').pick([settings.events].flat())
    const kind = kindOf(asked.fork('kind').pick(settings.kinds), tallies())
    const counts = { items, repeats: 0, lures, distractors }
    const drawn = drawList(asked.fork('told'), asked.fork('further'), kind, counts, split, templates)
    const total = drawn.items.reduce((sum, { value }) => sum + Number(value), 0)
    const asking = wanted === 'count' ? kind.questions : kind.totals
    const { text: template, heldOut } = asked
      .fork('question')
      .pick(templatesOf(asking, questionsFor(templates)))
    const { text: query } = fillTemplate(template, { random: asked, split, subject: drawn.subject })
    const depths = placed.fork('depths')
    return {
      question: { text: `${query} Answer with a number.`, query, template, heldOut },
      statements: [...drawn.items, ...drawn.lures, ...drawn.distractors].map((statement) => ({
        ...statement,
        depth: depths.next(),
      })),
      answers: [],
      references: wanted === 'count' ? [`${items}`, numerals[items]!] : [`${total}`, `${total} ${kind.unit}`],
      supporting: items,
      notes: (order) => running(order, drawn.items, wanted),
      labels: { kind: kind.name, measure: wanted, events: items, decoys: lures + distractors },
    }
  },
})

/** The count or the total so far, after each event. */
function running(
  order: readonly number[],
  events: readonly Statement[],
  wanted: z.output<typeof measure>,
): StatementNote[] {
  let sum = 0
  return order.flatMap((statement) => {
    const event = events[statement]
    if (event === undefined) return []
    sum += wanted === 'count' ? 1 : Number(event.value)
    return [{ statement, line: wanted, text: `${sum}` }]
  })
}
