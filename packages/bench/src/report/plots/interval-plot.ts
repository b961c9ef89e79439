/** Differences with their intervals, in rows around a line at 0. */
import { element, type Markup } from '../markup.ts'
import { signedPercent } from '../numbers.ts'
import { frame, plotWidth, textAt } from './frame.ts'
import type { IntervalPlot } from './plot.ts'
import { linearScale, symmetricLimit } from './scale.ts'
import { shortName } from './short-name.ts'
import { sign } from './sign.ts'
import { colourOf } from './style.ts'

const [left, right, top, rowHeight, bottom] = [132, plotWidth - 50, 30, 20, 38]

export function drawIntervalPlot({ title, xTitle, series, rows }: IntervalPlot): Markup {
  const limit = symmetricLimit(rows.flatMap(({ low, high, value }) => [low, high, value]))
  const x = linearScale([-limit, limit], [left, right])
  const bottomLine = top + rows.length * rowHeight
  return frame(
    title,
    bottomLine + bottom,
    [-limit, -limit / 2, 0, limit / 2, limit].map((mark) => [
      element('line', {
        class: mark === 0 ? 'axis' : 'grid',
        x1: x(mark),
        x2: x(mark),
        y1: top,
        y2: bottomLine,
      }),
      textAt('middle quiet', x(mark), bottomLine + 14, signedPercent(mark).replace('.0', '')),
    ]),
    rows.map(({ name, value, low, high, count }, row) => {
      const y = top + (row + 0.5) * rowHeight
      return element(
        'g',
        {},
        element(
          'title',
          {},
          `${name}: ${signedPercent(value)} (${signedPercent(low)} to ${signedPercent(high)}, ${count} pairs)`,
        ),
        textAt('end', left - 8, y + 3.5, shortName(name, left - 12)),
        element('line', {
          class: `whisker s${colourOf(series)}`,
          x1: x(Math.max(-limit, low)),
          x2: x(Math.min(limit, high)),
          y1: y,
          y2: y,
        }),
        sign(series, x(value), y),
        textAt('end', plotWidth - 6, y + 3.5, signedPercent(value)),
      )
    }),
    textAt('middle quiet', (left + right) / 2, bottomLine + 31, xTitle),
  )
}
