/** What goes wrong over the longest text: every wrong answer, after more lessons and after rewards, side by side. */
import { type Block, plainText, type TableRow } from '@memagent/bench'
import { amount, number, paragraph, whole } from './cells.ts'
import { atLength, sum } from './comparison.ts'
import { contenders } from './contenders.ts'
import type { Reading } from './reading.ts'
import { type Results, rlArms } from './results.ts'

const shownQuestions = 40

interface Reader {
  readonly name: string
  readonly readings: readonly Reading[]
}

/** Nothing unless readers with more lessons and with rewards were measured at one length. */
export function wrongAnswers(results: Results): Block[] {
  const all = contenders(results)
  const arm = rlArms.find((name) => results.lengths.has(name))
  if (!all?.noRl || arm === undefined) return []
  const { noRl, lengths } = all
  const recorded = [
    { name: noRl.name, readings: noRl.seeds[0]! },
    { name: arm, readings: results.lengths.get(arm)! },
  ]
  const length = lengths.findLast((one) =>
    recorded.every(({ readings }) => atLength(readings, one).length > 0),
  )
  if (length === undefined) return []
  const readers = recorded.map(
    ({ name, readings }): Reader => ({ name, readings: atLength(readings, length) }),
  )
  const rows = questionRows(readers)
  if (rows.length === 0) return []
  return [
    summary(readers, length),
    paragraph(
      `Every question that one of them answers wrongly at ${whole(length)} tokens, in order of the questions${rows.length > shownQuestions ? `; the first ${shownQuestions} of ${whole(rows.length)}` : ''}.`,
    ),
    {
      type: 'table',
      caption: `Wrong answers at ${whole(length)} tokens`,
      columns: ['question', 'wanted', ...readers.map(({ name }) => name)].map((title) => ({ title })),
      rows: rows.slice(0, shownQuestions),
    },
  ]
}

function summary(readers: readonly Reader[], length: number): Block {
  const meanChanges = (readings: readonly Reading[]) =>
    readings.length === 0 ? '–' : amount(sum(readings, ({ changes }) => changes) / readings.length)
  const cells = ({ name, readings }: Reader): string[] => {
    const wrong = readings.filter(({ strict }) => strict < 1)
    const isAnswerable = ({ references }: Reading) => references.length > 0
    const isAnswered = ({ answer }: Reading) => answer !== ''
    return [
      name,
      whole(readings.length),
      whole(wrong.length),
      whole(wrong.filter((one) => isAnswerable(one) && !isAnswered(one)).length),
      whole(wrong.filter((one) => !isAnswerable(one)).length),
      whole(wrong.filter((one) => isAnswerable(one) && isAnswered(one)).length),
      meanChanges(readings.filter((one) => !wrong.includes(one))),
      meanChanges(wrong),
    ]
  }
  return {
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
    rows: readers.map((reader): TableRow => ({ cells: cells(reader) })),
  }
}

/** Text of documents: one line each, and escaped by the writer. */
function questionRows(readers: readonly Reader[]): TableRow[] {
  const byIndex = readers.map(({ readings }) => new Map(readings.map((one) => [one.index, one])))
  const [first] = readers
  return first!.readings.flatMap(({ index, question, references }): TableRow[] => {
    const answers = byIndex.map((readings) => readings.get(index))
    if (answers.some((one) => one === undefined) || answers.every((one) => one!.strict === 1)) return []
    const wanted = references.length === 0 ? '(none)' : plainText(references.join(' | '), 60)
    return [{ cells: [plainText(question, 120), wanted, ...answers.map((one) => answerCell(one!))] }]
  })
}

const answerCell = ({ strict, answer }: Reading) =>
  strict === 1 ? 'right' : plainText(answer, 60) || '(none)'
