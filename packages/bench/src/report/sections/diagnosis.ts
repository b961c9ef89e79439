/** Why answers are wrong: one label each, the other signatures present, and how well memories keep facts. */
import { signatures } from '../../diagnosis/signatures/registry.ts'
import type { Analysis } from '../analysis/analyse.ts'
import type { FailureCount } from '../analysis/failures.ts'
import { type Block, columnsOf, type TableCell, type TableRow, tableOf } from '../block.ts'
import { count } from '../numbers.ts'
import { plainText } from '../plain-text.ts'
import { holdingCells, rateCell } from './words.ts'

export function diagnosis(analysis: Analysis): Block[] {
  const { series, failures } = analysis
  const isThere = (name: string, set: readonly FailureCount[]) =>
    set.some(({ present, labels }) => present[name]! + labels[name]! > 0)
  const there = signatures.filter(({ name }) => isThere(name, failures))
  const rowsOf = (answerable: boolean): TableRow[] => {
    const all = failures.filter((failure) => failure.answerable === answerable)
    if (all.length === 0) return []
    const group = answerable ? 'questions with an answer' : 'questions without an answer'
    const row = (title: string, of: (failure: FailureCount) => TableCell): TableRow => {
      const cells = series.map((one) => all.find((failure) => failure.series === one))
      return { group, cells: [title, ...cells.map((failure) => (failure ? of(failure) : '–'))] }
    }
    return [
      row('wrong answers', ({ wrong, count: all }) => ({
        value: count(wrong),
        notes: [`of ${count(all)}`],
      })),
      ...there
        .filter(({ name }) => isThere(name, all))
        .map(({ name, title }) =>
          row(title, ({ labels, present }) => ({
            value: count(labels[name]),
            notes: present[name]! > labels[name]! ? [`in ${count(present[name])}`] : [],
          })),
        ),
    ]
  }
  return [
    { type: 'heading', level: 2, text: 'Wrong answers' },
    {
      type: 'table',
      caption:
        'Each wrong answer has one label: the first signature, in this order, that is there. In smaller type: wrong answers in which the signature is there at all.',
      columns: columnsOf(
        'signature',
        series.map(({ name }) => name),
      ),
      groupTitle: 'questions',
      rows: [...rowsOf(true), ...rowsOf(false)],
    },
    { type: 'list', items: there.map(({ title, definition }) => `${title}: ${definition}`) },
    ...holdingTable(analysis),
    ...failedTable(analysis),
    ...warnedTable(analysis),
  ]
}

function holdingTable({ holding }: Analysis): Block[] {
  return tableOf({
    caption:
      'How memories hold the wanted fact once they have it, in right and wrong readings alike: rewrites that lost it, and rewrites in text without evidence that dropped words written down with it. 95 % intervals as of independent rewrites that would vary as much (Korn and Graubard): those of one question depend on each other',
    groupTitle: 'method',
    columns: columnsOf('task', [
      'tokens',
      'rewrites with the fact',
      'lost it',
      'lost per 1,000',
      'drifted per 1,000',
    ]),
    rows: holding.map((one, i) => ({
      group: one.series.name,
      cells: [...holdingCells(one, holding[i - 1]), rateCell(one.losses, 1000), rateCell(one.drift, 1000)],
    })),
  })
}

function warnedTable({ warnedAnswers }: Analysis): Block[] {
  return tableOf({
    caption: 'Warnings, in right and wrong answers alike',
    columns: [...columnsOf(['method', 'code'], ['answers', 'times']), { title: 'first message' }],
    rows: warnedAnswers.map(({ series, code, count: answers, of, times, message }) => ({
      cells: [
        series.name,
        plainText(code, 60),
        { value: count(answers), notes: [`of ${count(of)}`] },
        count(times),
        plainText(message, 160),
      ],
    })),
  })
}

function failedTable({ failedCalls }: Analysis): Block[] {
  return tableOf({
    caption: 'Failed calls',
    columns: [...columnsOf(['method', 'code'], ['count']), { title: 'first message' }],
    rows: failedCalls.map(({ series, code, count: calls, message }) => ({
      cells: [series.name, plainText(code, 60), count(calls), plainText(message, 160)],
    })),
  })
}
