/** Why answers are wrong: one label for each, what else is there, and how well memories hold on. */
import { signatures } from '../../diagnosis/signatures/registry.ts'
import type { Proportion } from '../../statistics/proportion.ts'
import type { Analysis } from '../analysis/analyse.ts'
import type { Block, TableCell } from '../block.ts'
import { amount, count } from '../numbers.ts'
import { plainText } from '../plain-text.ts'

export function diagnosis(analysis: Analysis): Block[] {
  const { failures, holding, failedCalls } = analysis
  const there = signatures.filter(({ name }) =>
    failures.some(({ present, labels }) => present[name]! + labels[name]! > 0),
  )
  return [
    { type: 'heading', level: 2, text: 'Wrong answers' },
    {
      type: 'table',
      caption:
        'Each wrong answer has one label: the first signature, in this order, that is there. In smaller type: wrong answers in which the signature is there at all.',
      columns: [
        { title: 'signature' },
        ...failures.map(({ series }) => ({ title: series.name, kind: 'number' as const })),
      ],
      rows: [
        {
          cells: [
            'wrong answers',
            ...failures.map(({ wrong, count: all }) => ({
              value: count(wrong),
              notes: [`of ${count(all)}`],
            })),
          ],
        },
        ...there.map(({ name, title }) => ({
          cells: [
            title,
            ...failures.map(({ labels, present }) => ({
              value: count(labels[name]),
              notes: present[name]! > labels[name]! ? [`in ${count(present[name])}`] : [],
            })),
          ],
        })),
      ],
    },
    { type: 'list', items: there.map(({ title, definition }) => `${title}: ${definition}`) },
    ...(holding.length === 0 ? [] : [holdingTable(analysis)]),
    ...(failedCalls.length === 0 ? [] : [failedTable(analysis)]),
  ]
}

function holdingTable({ holding }: Analysis): Block {
  return {
    type: 'table',
    caption:
      'How memories hold the wanted fact once they have it, in right and wrong readings alike: rewrites that lost it, and rewrites in text without evidence that dropped words written down with it',
    groupTitle: 'method',
    columns: ['tokens', 'rewrites with the fact', 'lost it', 'lost per 1,000', 'drifted per 1,000'].map(
      (title) => ({
        title,
        kind: 'number',
      }),
    ),
    rows: holding.map(({ series, lengthTokens, losses, drift }) => ({
      group: series.name,
      cells: [
        lengthTokens === undefined ? 'all' : count(lengthTokens),
        count(losses.count),
        count(losses.right),
        perThousand(losses),
        perThousand(drift),
      ],
    })),
  }
}

const perThousand = ({ value, low, high, count: rewrites }: Proportion): TableCell =>
  rewrites === 0
    ? '–'
    : { value: amount(1000 * value), notes: [`${amount(1000 * low)}–${amount(1000 * high)}`] }

function failedTable({ failedCalls }: Analysis): Block {
  return {
    type: 'table',
    caption: 'Failed calls',
    columns: [
      { title: 'method' },
      { title: 'code' },
      { title: 'count', kind: 'number' },
      { title: 'first message' },
    ],
    rows: failedCalls.map(({ series, code, count: calls, message }) => ({
      cells: [series.name, plainText(code, 60), count(calls), plainText(message, 160)],
    })),
  }
}
