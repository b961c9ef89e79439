/** Lines with interval bands over document length, named at their right end. */
import { type Child, element, type Markup } from '../markup.ts'
import { amount, lengthLabel, percent } from '../numbers.ts'
import { frame, plotWidth, textAt } from './frame.ts'
import type { Line, LinePlot, LinePoint } from './plot.ts'
import { linearScale, logMarks, logScale, type Scale, spread } from './scale.ts'
import { shortName } from './short-name.ts'
import { sign, styleOf } from './sign.ts'

const height = 236
const area = { left: 44, right: plotWidth - 102, top: 40, bottom: height - 36 }

export function drawLinePlot(plot: LinePlot): Markup {
  const points = plot.lines.flatMap(({ points }) => points)
  const lengths = [...new Set(points.map(({ lengthTokens }) => lengthTokens))].sort((a, b) => a - b)
  const x = logScale([lengths[0] ?? 1, lengths.at(-1) ?? 1], [area.left + 8, area.right - 8])
  const { y, marks, show } = verticalAxis(plot, points)
  const ends = plot.lines.map((line) => y(line.points.at(-1)!.value))
  const places = spread(ends, 13, [area.top, area.bottom])
  return frame(
    plot.title,
    height,
    textAt('start quiet', 4, 32, plot.yTitle),
    marks.map((mark) => [
      element('line', { class: 'grid', x1: area.left, x2: area.right, y1: y(mark), y2: y(mark) }),
      textAt('end quiet', area.left - 5, y(mark) + 3.5, show(mark)),
    ]),
    lengthMarks(lengths, x),
    textAt('middle quiet', (area.left + area.right) / 2, height - 6, 'tokens of the document'),
    plot.lines.map((line) => band(line, x, y)),
    plot.lines.map((line) => drawLine(line, x, y, show)),
    plot.lines.map((line, i) => nameLine(line, x, ends[i]!, places[i]!)),
  )
}

function verticalAxis({ y }: LinePlot, points: readonly LinePoint[]) {
  if (y === 'share') {
    const scale = linearScale([0, 1], [area.bottom, area.top])
    return { y: scale, marks: [0, 0.25, 0.5, 0.75, 1], show: (share: number) => `${Math.round(100 * share)}` }
  }
  const values = points.map(({ value }) => value)
  const marks = logMarks(Math.min(...values), Math.max(...values))
  const scale = logScale([marks[0]!, marks.at(-1)!], [area.bottom, area.top])
  return { y: scale, marks, show: compact }
}

const units = [
  [1e9, 'G'],
  [1e6, 'M'],
  [1e3, 'K'],
] as const

function compact(value: number): string {
  const unit = units.find(([size]) => value >= size)
  if (unit) return `${amount(value / unit[0])}${unit[1]}`
  return value < 0.001 ? value.toExponential(0) : amount(value)
}

/** Labels that would touch the one before are left out; the last always stands. */
function lengthMarks(lengths: readonly number[], x: Scale): Child {
  const widthOf = (length: number) => 6.5 * lengthLabel(length).length + 6
  const shown: number[] = []
  for (const length of lengths.toReversed()) {
    const next = shown.at(-1)
    if (next === undefined || x(next) - x(length) >= (widthOf(next) + widthOf(length)) / 2) shown.push(length)
  }
  return [
    element('line', { class: 'axis', x1: area.left, x2: area.right, y1: area.bottom, y2: area.bottom }),
    lengths.map((length) =>
      element('line', { class: 'axis', x1: x(length), x2: x(length), y1: area.bottom, y2: area.bottom + 4 }),
    ),
    shown.map((length) => textAt('middle quiet', x(length), area.bottom + 15, lengthLabel(length))),
  ]
}

/** A single point has a whisker instead. */
function band({ points, series }: Line, x: Scale, y: Scale): Child {
  const set = points.filter(({ low, high }) => low !== undefined && high !== undefined)
  if (set.length < 2) {
    return set.map(({ lengthTokens, low, high }) =>
      element('line', {
        class: `whisker s${styleOf(series)}`,
        x1: x(lengthTokens),
        x2: x(lengthTokens),
        y1: y(low!),
        y2: y(high!),
      }),
    )
  }
  const corners = [
    ...set.map(({ lengthTokens, high }) => [x(lengthTokens), y(high!)] as const),
    ...set.toReversed().map(({ lengthTokens, low }) => [x(lengthTokens), y(low!)] as const),
  ]
  return element('polygon', {
    class: `band f${styleOf(series)}`,
    points: corners.map(([a, b]) => `${a.toFixed(1)},${b.toFixed(1)}`).join(' '),
  })
}

function drawLine(
  { name, points, series }: Line,
  x: Scale,
  y: Scale,
  show: (value: number) => string,
): Child {
  const style = styleOf(series)
  return [
    element('polyline', {
      class: `line s${style} d${style}`,
      points: points
        .map(({ lengthTokens, value }) => `${x(lengthTokens).toFixed(1)},${y(value).toFixed(1)}`)
        .join(' '),
    }),
    points.map(({ lengthTokens, value, low, high, count }) =>
      element(
        'g',
        {},
        element(
          'title',
          {},
          low === undefined
            ? `${name}, ${lengthLabel(lengthTokens)}: ${show(value)}, n ${count}`
            : `${name}, ${lengthLabel(lengthTokens)}: ${percent(value)} % (${percent(low)}–${percent(high)}, n ${count})`,
        ),
        sign(series, x(lengthTokens), y(value)),
      ),
    ),
  ]
}

function nameLine({ name, points, series }: Line, x: Scale, end: number, place: number): Child {
  const from = x(points.at(-1)!.lengthTokens) + 6
  const at = area.right + 12
  return [
    element('path', {
      class: 'leader',
      d: `M${from.toFixed(1)} ${end.toFixed(1)}L${at - 7} ${place.toFixed(1)}`,
    }),
    sign(series, at, place),
    element(
      'g',
      {},
      element('title', {}, name),
      textAt('start', at + 8, place + 3.5, shortName(name, plotWidth - at - 10)),
    ),
  ]
}
