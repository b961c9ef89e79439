/**
 * Many facts: more facts concern the name in the question than a short memory can hold, and one is wanted: the last one
 * stated, the first, or the highest. The memory must choose while it reads: overwrite, keep, or compare.
 */
import { drawSeries, type SeriesFact } from './many-facts/draw-series.ts'
import { type Choice, choice, series } from './many-facts/series.ts'
import { depthsAbove, depthsBelow } from './prose/plant-statements.ts'
import { defineProseTask, type StatementNote } from './prose-task.ts'
import type { Random } from './random.ts'
import { count, namesOf, oneOrSeveral } from './settings/task-options.ts'

const seriesNames = () => series().map(({ name }) => name)

export const manyFacts = defineProseTask({
  name: 'many-facts',
  description:
    'More facts about one name than a memory holds; the question wants the latest, the first or the highest.',
  options: {
    choice: oneOrSeveral(choice)
      .default(choice.options)
      .describe('Which of the facts the question wants. From a list, each sample draws one.'),
    facts: count(1).default(8).describe('Facts about the subject of the question.'),
    distractors: count(0).default(4).describe('Facts of the same kind about other subjects.'),
    series: namesOf(seriesNames)
      .default(seriesNames)
      .meta({ description: 'Kinds of facts to plant.', defaultIs: 'every one' }),
  },
  draw({ asked, placed, settings, templates }) {
    const wanted = asked.fork('choice').pick([settings.choice].flat())
    const drawn = drawSeries(asked.fork('series'), { ...settings, choice: wanted, templates })
    const { facts, distractors } = drawn
    const answer = wanted === 'highest' ? drawn.highest : wanted === 'first' ? 0 : facts.length - 1
    const depths = drawDepths(placed.fork('depths'), facts.length, answer, wanted)
    const other = placed.fork('distractor-depths')
    return {
      question: drawn.question,
      statements: [
        ...facts.map((fact, i) => ({ ...fact, depth: depths[i]! })),
        ...distractors.map((fact) => ({ ...fact, depth: other.next() })),
      ],
      answers: [answer],
      notes: (order) => chosen(order, facts, wanted),
      labels: {
        kind: drawn.kind,
        choice: wanted,
        facts: facts.length,
        template: facts[answer]!.template,
        decoys: distractors.length,
      },
    }
  },
})

/** Notes each fact that becomes the answer so far, with its amount if amounts must be compared. */
function chosen(order: readonly number[], facts: readonly SeriesFact[], wanted: Choice): StatementNote[] {
  let best: SeriesFact | undefined
  return order.flatMap((i) => {
    const fact = facts[i]
    const isBetter =
      wanted === 'latest' || !best || (wanted === 'highest' && fact && fact.amount > best.amount)
    if (!fact || !isBetter) return []
    best = fact
    const isCompared = wanted === 'highest' && fact.value !== fact.measured
    return [{ statement: i, line: 'fact', text: isCompared ? `${fact.value}: ${fact.measured}` : fact.value }]
  })
}

/** The answer may be anywhere; the others come before it (`latest`), after it (`first`) or anywhere (`highest`). */
function drawDepths(random: Random, count: number, answer: number, choice: Choice): number[] {
  const depth = random.next()
  const others =
    choice === 'latest'
      ? depthsBelow(random, count - 1, depth)
      : choice === 'first'
        ? depthsAbove(random, count - 1, depth)
        : Array.from({ length: count - 1 }, () => random.next())
  return others.toSpliced(answer, 0, depth)
}
