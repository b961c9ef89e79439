/**
 * Changing states: a thing is moved, handed over or painted, and the question wants its state at the end. Some changes are
 * announced with a condition, and take effect when the text says that it holds, in a sentence that names neither the thing
 * nor its new state. Conditions that fail or are never mentioned again change nothing; nor do lures.
 */
import { drawApart } from './apart-draws.ts'
import { type Change, drawChange, type Fate, state, type Telling } from './changing-state/draw-change.ts'
import { states } from './changing-state/state-kinds.ts'
import { fillTemplate } from './facts/fill.ts'
import { drawName, drawOtherName } from './facts/names.ts'
import { depthsAbove, depthsBelow, type PlacedStatement } from './prose/plant-statements.ts'
import { absentShare, defineProseTask, type StatementNote } from './prose-task.ts'
import type { Random } from './random.ts'
import { count, counts, kindNames, kindOf } from './settings/task-options.ts'
import { questionsFor, templatesOf } from './templates.ts'

export const changingState = defineProseTask({
  name: 'changing-state',
  description: 'The last state of a thing that changes several times, sometimes only if a condition holds.',
  options: {
    changes: counts(1)
      .default([1, 2, 3])
      .describe('Changes without a condition: a number, or a list to draw from.'),
    conditions: counts(0)
      .default([1, 2])
      .describe('Changes under a condition, which holds for half of them: a number, or a list to draw from.'),
    lures: count(0).default(2).describe('Sentences about the same subject that change nothing.'),
    distractors: count(0)
      .default(4)
      .describe(
        'Changes of other subjects, half of which have a similar name; every third change has a condition.',
      ),
    kinds: kindNames(() => states().kinds),
    absentShare: absentShare(0.1, 'in which the subject does not change'),
  },
  draw({ asked, placed, settings, templates, isPresent }) {
    const { split } = settings
    const random = asked.fork('told')
    const kind = kindOf(asked.fork('kind').pick(settings.kinds), states().kinds)
    const telling: Telling = { random, kind, split, templates, apart: drawApart(split) }
    const subjectClass = random.pick(kind.subjects)
    const name = telling.apart.take(random, (from) => drawName(from, subjectClass))
    const own = random
      .shuffle([
        ...new Array<Fate>(asked.fork('changes').pick([settings.changes].flat())).fill('told'),
        ...Array.from({ length: asked.fork('conditions').pick([settings.conditions].flat()) }, () =>
          drawFate(random),
        ),
      ])
      .map((fate) => drawChange(telling, name.text, fate))
    const lures = Array.from({ length: settings.lures }, () => {
      const { text: value } = telling.apart.take(random, (from) => ({ text: kind.value(from) }))
      const { text: template } = random.pick(templatesOf(kind.lures, questionsFor(templates)))
      return state(telling, template, name.text, value)
    })
    const model = own.find(({ condition }) => condition !== undefined)
    const distractors = Array.from({ length: settings.distractors }, (_, i) => {
      const other = telling.apart.take(random, (from) =>
        i % 2 === 0
          ? drawOtherName(from, name, (fresh) => drawName(fresh, subjectClass))
          : drawName(from, subjectClass),
      )
      return drawChange(telling, other.text, i % 3 === 0 ? drawFate(random) : 'told', model)
    })
    const { text: template, heldOut } = asked
      .fork('question')
      .pick(templatesOf(kind.questions, questionsFor(templates)))
    const { text } = fillTemplate(template, { random, split, subject: name.text })
    const last = own.findLastIndex(({ fate }) => fate === 'told' || fate === 'holds')
    const told = isPresent ? place(own, last, placed.fork('depths')) : []
    const other = placed.fork('other-depths')
    return {
      question: { text, template, heldOut },
      statements: [
        ...told,
        ...lures.map((lure) => ({ ...lure, depth: other.next() })),
        ...distractors.flatMap(({ statements }) => {
          const depths = depthsBelow(other, statements.length, 1)
          return statements.map((statement, i) => ({ ...statement, depth: depths[i]! }))
        }),
      ],
      answers: isPresent ? [0] : [],
      supporting: isPresent ? own[last]!.statements.length : 0,
      notes: (order) => order.filter((i) => isKnown(i, order, told)).flatMap((i) => noted(told[i], i)),
      labels: {
        kind: kind.name,
        changes: own.filter(({ fate }) => fate === 'told').length,
        conditions: own.filter(({ fate }) => fate !== 'told').length,
        last: own[last]!.fate,
        decoys: lures.length + distractors.length,
      },
    }
  },
})

const drawFate = (random: Random): Fate => (random.chance(0.5) ? 'holds' : random.pick(['fails', 'open']))

type Told = PlacedStatement & { readonly change: Change; readonly isOutcome: boolean }

/** The statements of all changes in order, with those of the last effective change moved to the front of the list. */
function place(changes: readonly Change[], last: number, random: Random): Told[] {
  const before = changes.slice(0, last).flatMap(({ statements }) => statements).length
  const all = changes.flatMap(({ statements }) => statements).length
  const depth = random.next()
  const depths = [
    ...depthsBelow(random, before, depth),
    depth,
    ...depthsAbove(random, all - before - 1, depth),
  ]
  const told = changes.flatMap((change) =>
    change.statements.map((statement, i) => ({ ...statement, change, isOutcome: i > 0 })),
  )
  const placed = told.map((statement, i) => ({ ...statement, depth: depths[i]! }))
  const isLast = ({ change }: Told) => change === changes[last]
  return [...placed.filter(isLast), ...placed.filter((one) => !isLast(one))]
}

/** Whether the announcement that an outcome refers to was read. */
const isKnown = (i: number, order: readonly number[], told: readonly Told[]) =>
  !told[i]?.isOutcome || order.some((j) => told[j]?.change === told[i]!.change && !told[j].isOutcome)

/** The state, and what it still depends on. */
function noted(told: Told | undefined, statement: number): StatementNote[] {
  if (told === undefined) return []
  const { value, fate, condition } = told.change
  const state = { statement, line: 'state', text: value }
  if (condition === undefined) return [state]
  const line = condition.party.text
  if (!told.isOutcome) return [{ statement, line, text: `${value} if ${condition.clause}` }]
  return [{ statement, line, text: undefined }, ...(fate === 'holds' ? [state] : [])]
}
