/**
 * The order of telling: a text tells several things of one kind about a subject, and the question asks in which order: which of
 * two came first, which was the third, or all of them in order. Some are told again later, which changes nothing, and years
 * in the statements say nothing about the order of the text.
 */
import { z } from 'zod'
import { lazy, loadData } from './data/load-data.ts'
import { fillTemplate } from './facts/fill.ts'
import { fillSlots } from './facts/fill-slots.ts'
import { templates } from './facts/kind.ts'
import { drawList } from './lists/draw-list.ts'
import { collections } from './lists/list-kinds.ts'
import { firstMentions } from './lists/list-sample.ts'
import { depthsBelow, type Statement } from './prose/plant-statements.ts'
import { defineProseTask, firstOf } from './prose-task.ts'
import type { Random } from './random.ts'
import { count, counts, kindNames, kindOf, oneOrSeveral } from './settings/task-options.ts'
import { questionsFor, templatesOf } from './templates.ts'
import { scoreOrder } from './verifiers/in-order.ts'
import { scoreAnswer } from './verifiers/score.ts'

const wish = z.enum(['pair', 'list', 'nth'])
type Wish = z.output<typeof wish>

export const orderQuestions = lazy(() =>
  loadData('order-of-telling.yaml', z.strictObject({ pair: templates, list: templates, nth: templates })),
)

const ordinals = 'first second third fourth fifth sixth seventh eighth'.split(' ')

export const orderOfTelling = defineProseTask({
  name: 'order-of-telling',
  description:
    'The order in which the text mentions several values: which of two comes first, which is third, or all of them.',
  options: {
    wish: oneOrSeveral(wish)
      .default(wish.options)
      .describe(
        'What the question asks for: which of a pair comes first, all in a list, or the nth. From a list, each sample draws one.',
      ),
    values: counts(2, ordinals.length)
      .default([3, 4, 5, 6])
      .describe('Number of values, or a list of numbers to draw from.'),
    repeats: count(0).default(2).describe('Most values that are repeated later.'),
    distractors: count(0).default(4).describe('Values of other subjects, half of which have a similar name.'),
    collections: kindNames(collections),
  },
  draw({ asked, placed, settings, templates }) {
    const { split, repeats, distractors } = settings
    const wanted = asked.fork('wish').pick([settings.wish].flat())
    const items = asked.fork('values').pick([settings.values].flat())
    const kind = kindOf(asked.fork('collection').pick(settings.collections), collections())
    const counts = { items, repeats, lures: 0, distractors }
    const drawn = drawList(asked.fork('told'), asked.fork('further'), kind, counts, split, templates)
    const choice = questionsFor(templates)
    const random = asked.fork('question')
    const { text: template, heldOut } = random.pick(templatesOf(orderQuestions()[wanted], choice))
    const { text: asking } = random.pick(templatesOf(kind.questions, choice))
    const { text: question } = fillTemplate(asking, { random, split, subject: drawn.subject })
    const { needed, answers, slots } = choose(random, wanted, drawn.items)
    const { text: query } = fillSlots(template, { question, ...slots })
    const depths = depthsBelow(placed.fork('depths'), items, 1)
    const told = [...needed, ...firstOf(items).filter((i) => !needed.includes(i))]
    const later = placed.fork('later')
    return {
      question: {
        text: wanted === 'list' ? `${query} Separate them by semicolons.` : query,
        query,
        template,
        heldOut,
      },
      statements: [
        ...told.map((i) => ({ ...drawn.items[i]!, depth: depths[i]! })),
        ...drawn.repeats.map((repeat) => {
          const depth = depths[drawn.items.findIndex(({ value }) => value === repeat.value)]!
          return { ...repeat, depth: depth + later.next() * (1 - depth) }
        }),
        ...drawn.distractors.map((statement) => ({ ...statement, depth: later.next() })),
      ],
      answers: answers.map((i) => told.indexOf(i)),
      match: wanted === 'list' ? 'all' : 'any',
      supporting: needed.length,
      notes(order) {
        const values = needed.map((i) => drawn.items[i]!.value)
        const noted = firstMentions(order, [...told.map((i) => drawn.items[i]!), ...drawn.repeats])
          .filter(({ text }) => values.includes(text))
          .map(({ text, ...note }) => ({ ...note, line: `${values.indexOf(text)}`, text }))
        // For a pair, the first mention settles it.
        return wanted === 'pair' ? noted.slice(0, 1) : noted
      },
      labels: { kind: kind.name, wish: wanted, values: items, decoys: drawn.repeats.length + distractors },
    }
  },
  score: (sample, answer) =>
    sample.match === 'all' ? scoreOrder(answer ?? '', sample.references) : scoreAnswer(sample, answer),
})

interface Chosen {
  /** Items whose statements say the answer, in the order of the text. */
  readonly needed: readonly number[]
  readonly answers: readonly number[]
  readonly slots: Readonly<Record<string, string>>
}

/** Chooses what to ask about these items. */
function choose(random: Random, wish: Wish, items: readonly Statement[]): Chosen {
  const all = firstOf(items.length)
  if (wish === 'list') return { needed: all, answers: all, slots: {} }
  if (wish === 'nth') {
    const place = random.between(1, items.length - 1)
    return { needed: firstOf(place + 1), answers: [place], slots: { nth: ordinals[place]! } }
  }
  const pair = random.shuffle(all).slice(0, 2)
  const [one, other] = pair.map((i) => items[i]!.value)
  const [first, second] = pair.toSorted((a, b) => a - b)
  return { needed: [first!, second!], answers: [first!], slots: { one: one!, other: other! } }
}
