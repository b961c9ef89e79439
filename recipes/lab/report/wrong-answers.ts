/** What goes wrong over the longest text: every wrong answer, after more lessons and after rewards, side by side. */
import { type Block, plainText, type TableRow } from '@memagent/bench'
import { amount, number, paragraph, whole } from './cells.ts'
import { atLength, pairUp, sum } from './comparison.ts'
import { contenders } from './contenders.ts'
import type { Reading } from './reading.ts'
import { type Results, rlArms } from './results.ts'

const shownQuestions = 40

/** Nothing unless readers with more lessons and with rewards were measured at one length. */
export function wrongAnswers(results: Results): Block[] {
  const all = contenders(results)
  const arm = rlArms.find((name) => results.lengths.has(name))
  if (!all?.noRl || arm === undefined) return []
  const { noRl, lengths } = all
  const readingsAt = (length: number) =>
    [atLength(noRl.seeds[0]!, length), atLength(results.lengths.get(arm)!, length)] as const
  const length = lengths.findLast((one) => readingsAt(one).every((readings) => readings.length > 0))
  if (length === undefined) return []
  const [lessons, rewards] = readingsAt(length)
  const wrong = pairUp([lessons, rewards]).filter((pair) => !pair.every(isRight))
  if (wrong.length === 0) return []
  return [
    {
      type: 'table',
      caption: `How answers at ${whole(length)} tokens are wrong, and how often the memory changed in a document, mean`,
      columns: [
        { title: 'arm' },
        ...[
          'n',
          'wrong',
          'finds none',
          'finds one where none is',
          'finds another',
          'changes where right',
          'changes where wrong',
        ].map(number),
      ],
      rows: [countsRow(noRl.name, lessons), countsRow(arm, rewards)],
    },
    paragraph(
      `Every question that one of them answers wrongly at ${whole(length)} tokens, in order of the questions${wrong.length > shownQuestions ? `; the first ${shownQuestions} of ${whole(wrong.length)}` : ''}.`,
    ),
    {
      type: 'table',
      caption: `Wrong answers at ${whole(length)} tokens`,
      columns: ['question', 'wanted', noRl.name, arm].map((title) => ({ title })),
      rows: wrong.slice(0, shownQuestions).map(answersRow),
    },
  ]
}

const isRight = ({ strict }: Reading) => strict === 1
const isAnswerable = ({ references }: Reading) => references.length > 0

function countsRow(name: string, readings: readonly Reading[]): TableRow {
  const [right, wrong] = [readings.filter(isRight), readings.filter((one) => !isRight(one))]
  const missed = wrong.filter(isAnswerable)
  const meanChanges = (some: readonly Reading[]) =>
    some.length === 0 ? '–' : amount(sum(some, ({ changes }) => changes) / some.length)
  const silent = missed.filter(({ answer }) => answer === '').length
  const counts = [readings.length, wrong.length, silent, wrong.length - missed.length, missed.length - silent]
  return { cells: [name, ...counts.map(whole), meanChanges(right), meanChanges(wrong)] }
}

/** Text of documents: one line each, and escaped by the writer. */
function answersRow(pair: readonly [Reading, Reading]): TableRow {
  const [{ question, references }] = pair
  const text = (of: string) => plainText(of, 60) || '(none)'
  const answers = pair.map((one) => (isRight(one) ? 'right' : text(one.answer)))
  return { cells: [plainText(question, 120), text(references.join(' | ')), ...answers] }
}
