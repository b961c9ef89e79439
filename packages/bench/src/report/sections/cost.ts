/** Calls, tokens, seconds and price over length. */
import type { Analysis } from '../analysis/analyse.ts'
import type { Cost } from '../analysis/cells.ts'
import { lengthsOf, lengthTitle } from '../analysis/lengths.ts'
import { type Block, columnsOf } from '../block.ts'
import { count, fixed } from '../numbers.ts'
import type { LinePlot } from '../plots/plot.ts'

export function cost({ series, costs }: Analysis): Block[] {
  const hasPrices = costs.some(({ cost }) => cost.price !== undefined)
  const hasEmbeddings = costs.some(({ cost }) => cost.count > 0 && cost.embeddedTokens !== 0)
  const hasWholeCalls = costs.every(({ cost }) => Number.isNaN(cost.calls) || Number.isInteger(cost.calls))
  // Documents of their own length have no place on an axis of lengths; they are plotted only if there are no others.
  const asked = costs.filter(({ keepsLength }) => !keepsLength)
  const plotted = asked.length > 0 ? asked : costs
  const plot = (title: string, yTitle: string, of: (cost: Cost) => number | undefined): LinePlot[] => {
    const lines = series
      .map((one) => ({
        name: one.name,
        series: one.style,
        points: plotted
          .filter((item) => item.series === one)
          .map(({ lengthTokens, cost }) => ({ x: lengthTokens, value: of(cost) ?? 0, count: cost.count }))
          // A logarithmic axis has no zero.
          .filter(({ value }) => value > 0),
      }))
      .filter(({ points }) => points.length > 0)
    return lines.length === 0 ? [] : [{ type: 'lines', title, yTitle, y: 'log', lines }]
  }
  const ownLengths = lengthsOf(costs.filter(({ keepsLength }) => keepsLength))
  const groupOf = (lengthTokens: number, keepsLength: boolean) =>
    keepsLength && ownLengths.length > 1
      ? `own length, ${count(lengthTokens)} tokens asked for`
      : lengthTitle(lengthTokens, keepsLength)
  return [
    { type: 'heading', level: 2, text: 'Cost over length' },
    {
      type: 'figure',
      caption:
        'Means of one answer over all tasks, to questions with and without an answer, failed calls left out. Both axes are logarithmic.',
      plots: [
        ...plot(
          'Tokens',
          'prompt and generated',
          ({ promptTokens, completionTokens }) => promptTokens + completionTokens,
        ),
        ...plot('Calls', 'calls', ({ calls }) => calls),
        ...plot('Seconds', 'seconds', ({ seconds }) => seconds),
        ...(hasPrices ? plot('Price', 'price', ({ price }) => price) : []),
      ],
    },
    {
      type: 'table',
      caption:
        'Means of one answer over all tasks, to questions with and without an answer, failed calls left out',
      groupTitle: 'tokens',
      columns: columnsOf('method', [
        'n',
        'calls',
        'prompt tokens',
        'generated tokens',
        ...(hasEmbeddings ? ['embedded tokens'] : []),
        'seconds',
        'seconds per million tokens',
        ...(hasPrices ? ['price'] : []),
      ]),
      rows: costs
        .toSorted((a, b) => Number(a.keepsLength) - Number(b.keepsLength) || a.lengthTokens - b.lengthTokens)
        .map(({ series, lengthTokens, keepsLength, cost }) => ({
          group: groupOf(lengthTokens, keepsLength),
          cells: [
            series.name,
            count(cost.count),
            fixed(cost.calls, hasWholeCalls ? 0 : 1),
            count(cost.promptTokens),
            count(cost.completionTokens),
            ...(hasEmbeddings ? [count(cost.embeddedTokens)] : []),
            fixed(cost.seconds, 2),
            fixed(cost.secondsPerMillion, 1),
            ...(hasPrices ? [fixed(cost.price, 4)] : []),
          ],
        })),
    },
  ]
}
