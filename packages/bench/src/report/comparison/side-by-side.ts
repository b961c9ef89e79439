/** Two readers side by side on the same samples: every wrong answer, and the memories of a few questions. */

import { metric, type ObservationPair, pairBySample, sum } from '../analysis/measures.ts'
import { isAnswerable } from '../analysis/task-group.ts'
import { type Block, columnsOf, type TableRow } from '../block.ts'
import { amount, count } from '../numbers.ts'
import type { Observation } from '../observation.ts'
import { plainText } from '../plain-text.ts'
import { atLength, type Comparison, type Reader } from './comparison.ts'

const mostQuestions = 40
const mostSteps = 12

const strict = metric('strict')
const isRight = (observation: Observation) => strict(observation) === 1

/** At the longest length that the first two readers were both asked at. */
export function wrongAnswerTables({ readers, lengths }: Comparison): Block[] {
  const [reader, other] = readers
  const length = lengths.findLast((one) => pairsAt(one, readers).length > 0)
  if (reader === undefined || other === undefined || length === undefined) return []
  const wrong = pairsAt(length, readers).filter((pair) => !pair.every(isRight))
  if (wrong.length === 0) return []
  const shown = wrong.length > mostQuestions ? `; the first ${mostQuestions} of ${count(wrong.length)}` : ''
  return [
    countsTable(length, [other, reader]),
    {
      type: 'table',
      caption: `Wrong answers at ${count(length)} tokens: every question that one of the two answers wrongly, in order of the questions${shown}`,
      columns: columnsOf(['question', 'wanted', other.name, reader.name]),
      rows: wrong.slice(0, mostQuestions).map((pair) => ({
        cells: [
          plainText(pair[0].question, 120),
          text(pair[0].references.join(' | '), 60),
          ...pair.map((one) => (isRight(one) ? 'right' : answerOf(one, 60))),
        ],
      })),
    },
  ]
}

/** Pairs with the second reader's answer first, in the order of the questions. */
const pairsAt = (length: number, [reader, other]: readonly Reader[]): ObservationPair[] =>
  reader === undefined || other === undefined
    ? []
    : pairBySample(scoredAt(length, other), scoredAt(length, reader)).sort(([a], [b]) => a.index - b.index)

/** Answers to questions of tasks without the metric are neither right nor wrong. */
const scoredAt = (length: number, reader: Reader): Observation[] =>
  atLength(length)
    .observations(reader)
    .filter((one) => strict(one) !== undefined)

/** Text from documents on one line; whoever writes it escapes it. */
const text = (of: string, maxLength: number) => plainText(of, maxLength) || '(none)'

/** A failed reading has given no answer, whatever the text says. */
const answerOf = ({ answer, error, references }: Observation, maxLength: number) =>
  error ? '(failed)' : answer === '' && references.length === 0 ? '(no answer)' : text(answer, maxLength)

/** How a wrong answer is wrong, in columns; one that is not `always` there is there if an answer is wrong like this. */
const kinds = [
  { title: 'finds none', always: true },
  { title: 'finds one where none is', always: true },
  { title: 'finds another', always: true },
  { title: 'finds a part', always: false },
  { title: 'gives no answer', always: false },
  { title: 'failed', always: false },
] as const

function kindOf(one: Observation): (typeof kinds)[number]['title'] {
  if (one.error) return 'failed'
  if (one.answer === '') return isAnswerable(one) ? 'finds none' : 'gives no answer'
  if (!isAnswerable(one)) return 'finds one where none is'
  return strict(one)! > 0 ? 'finds a part' : 'finds another'
}

function countsTable(length: number, readers: readonly Reader[]): Block {
  const all = readers.map((reader) => {
    const set = scoredAt(length, reader)
    return { name: reader.name, set, right: set.filter(isRight), wrong: set.filter((one) => !isRight(one)) }
  })
  const countOf = (wrong: readonly Observation[], title: string) =>
    wrong.filter((one) => kindOf(one) === title).length
  const shown = kinds.filter(
    ({ title, always }) => always || all.some(({ wrong }) => countOf(wrong, title) > 0),
  )
  const meanChanges = (some: readonly Observation[]) =>
    some.length === 0 ? '–' : amount(sum(some, ({ memory }) => memory?.changes ?? Number.NaN) / some.length)
  return {
    type: 'table',
    caption: `How answers at ${count(length)} tokens are wrong, and how often the memory changed per document, on average`,
    columns: columnsOf('reader', [
      'n',
      'wrong',
      ...shown.map(({ title }) => title),
      'changes where right',
      'changes where wrong',
    ]),
    rows: all.map(({ name, set, right, wrong }) => {
      const counts = [set.length, wrong.length, ...shown.map(({ title }) => countOf(wrong, title))]
      return { cells: [name, ...counts.map(count), meanChanges(right), meanChanges(wrong)] }
    }),
  }
}

/**
 * Memories at the shortest length. Chosen by rule rather than by looks: the first question that only one reader answers
 * right, the first that only the other does, and the first that both get wrong.
 */
export function memoryExamples({ readers, lengths: [shortest] }: Comparison): Block[] {
  const [reader, other] = readers
  if (reader === undefined || other === undefined || shortest === undefined) return []
  const chosen = [
    { name: `right only with ${reader.name}`, rights: [false, true] },
    { name: `right only with ${other.name}`, rights: [true, false] },
    { name: 'wrong with both', rights: [false, false] },
  ]
  const pairs = pairsAt(shortest, readers).filter(
    ([before, after]) =>
      isAnswerable(before) && (before.memory?.shown.length ?? 0) + (after.memory?.shown.length ?? 0) > 0,
  )
  const shown = chosen.flatMap(({ name, rights }) => {
    const pair = pairs.find((one) => one.every((side, i) => isRight(side) === rights[i]))
    return pair ? [{ name, pair }] : []
  })
  if (shown.length === 0) return []
  return [
    {
      type: 'paragraph',
      text: `Memories at ${count(shortest)} tokens: the first question that is right only with ${reader.name}, the first that is right only with ${other.name}, the first that is wrong with both. Steps that changed neither memory are left out.`,
    },
    ...shown.map(
      ({ name, pair: [before, after] }): Block => ({
        type: 'table',
        caption: `${name}: ${plainText(before.question, 160)} Wanted: ${plainText(before.references.join(' | '), 80)}`,
        columns: columnsOf(['step', other.name, reader.name]),
        rows: [
          ...memoryRows(before, after),
          { cells: ['answer', answerOf(before, 120), answerOf(after, 120)] },
        ],
      }),
    ),
  ]
}

function memoryRows(...pair: [Observation, Observation]): TableRow[] {
  const steps = new Set(pair.flatMap(({ memory }) => memory?.shown.map(({ step }) => step) ?? []))
  const memoryAt = ({ memory }: Observation, step: number) => {
    if (memory !== undefined && memory.changes > memory.shown.length) return '(not shown)'
    const latest = memory?.shown.findLast((one) => one.step <= step)
    return latest === undefined ? '(none)' : plainText(latest.text, 160) || '(empty)'
  }
  const rows = [...steps]
    .sort((a, b) => a - b)
    .map((step): TableRow => ({ cells: [count(step + 1), ...pair.map((one) => memoryAt(one, step))] }))
  if (rows.length <= mostSteps) return rows
  const left = `${rows.length - mostSteps} more`
  return [...rows.slice(0, mostSteps / 2), { cells: ['…', left, left] }, ...rows.slice(-mostSteps / 2)]
}
