/** Lines with interval bands over document length or another quantity, named at their right end, or below if names are long. */
import { type Child, element, type Markup } from '../markup.ts'
import { amount, lengthLabel, percent, count as showCount } from '../numbers.ts'
import { frame, plotWidth, textAt } from './frame.ts'
import type { HorizontalAxis, Line, LinePlot, LinePoint } from './plot.ts'
import { linearMarks, linearScale, logMarks, logScale, type Scale, spread } from './scale.ts'
import { shortName, textWidth } from './short-name.ts'
import { sign } from './sign.ts'
import { colourOf, shapeOf } from './style.ts'

/** Without names below the plot. */
const height = 236
/** Least distance in pixels between two signs on a line. */
const signRoom = 16
const [left, top, bottom] = [44, 40, height - 36]
const besideLine = { right: plotWidth - 102, nameFrom: plotWidth - 82, nameWidth: 72 }
const belowPlot = { right: plotWidth - 14, nameFrom: 24, nameWidth: plotWidth - 28, rowHeight: 15 }

export function drawLinePlot(plot: LinePlot): Markup {
  const points = plot.lines.flatMap(({ points }) => points)
  const axis = plot.x ?? documentLength
  const isBelow = plot.lines.some(({ name }) => textWidth(name, 11) > besideLine.nameWidth)
  const { right } = isBelow ? belowPlot : besideLine
  const values = [...new Set(points.map((point) => point.x))].sort((a, b) => a - b)
  const { x, ticks, label } = horizontalAxis(axis, values, right)
  const { y, marks, show } = verticalAxis(plot, points)
  const ends = plot.lines.map((line) => y(line.points.at(-1)!.value))
  const places = spread(ends, 13, [top, bottom])
  return frame(
    plot.title,
    height + (isBelow ? plot.lines.length * belowPlot.rowHeight + 6 : 0),
    textAt('start quiet', 4, 32, plot.yTitle),
    marks.map((mark) => [
      element('line', { class: 'grid', x1: left, x2: right, y1: y(mark), y2: y(mark) }),
      textAt('end quiet', left - 5, y(mark) + 3.5, show(mark)),
    ]),
    axisMarks(ticks, x, label, right),
    textAt('middle quiet', (left + right) / 2, height - 6, axis.title),
    plot.lines.map((line) => band(line, x, y)),
    plot.lines.map((line) => drawLine(line, x, y, show, label)),
    plot.lines.map((line, i) =>
      isBelow
        ? named(line, 14, height + 8 + i * belowPlot.rowHeight, belowPlot)
        : [leader(line, x, ends[i]!, places[i]!), named(line, right + 12, places[i]!, besideLine)],
    ),
  )
}

const documentLength: HorizontalAxis = { title: 'tokens of the document', scale: 'log' }

/** @param values in ascending order */
function horizontalAxis({ scale }: HorizontalAxis, values: readonly number[], right: number) {
  const [low, high] = [values[0] ?? 1, values.at(-1) ?? 1]
  const range = [left + 8, right - 8] as const
  return scale === 'log'
    ? { x: logScale([low, high], range), ticks: values, label: lengthLabel }
    : { x: linearScale([low, high], range), ticks: linearMarks(low, high), label: showCount }
}

function verticalAxis({ y }: LinePlot, points: readonly LinePoint[]) {
  if (y === 'share') {
    const scale = linearScale([0, 1], [bottom, top])
    return { y: scale, marks: [0, 0.25, 0.5, 0.75, 1], show: (share: number) => `${Math.round(100 * share)}` }
  }
  const values = points.map(({ value }) => value)
  const marks = logMarks(Math.min(...values), Math.max(...values))
  const scale = logScale([marks[0]!, marks.at(-1)!], [bottom, top])
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

/** Labels that would touch the previous one are omitted; the last one is always drawn. */
function axisMarks(
  ticks: readonly number[],
  x: Scale,
  label: (value: number) => string,
  right: number,
): Child {
  const widthOf = (tick: number) => 6.5 * label(tick).length + 6
  const shown: number[] = []
  for (const tick of ticks.toReversed()) {
    const next = shown.at(-1)
    if (next === undefined || x(next) - x(tick) >= (widthOf(next) + widthOf(tick)) / 2) shown.push(tick)
  }
  return [
    element('line', { class: 'axis', x1: left, x2: right, y1: bottom, y2: bottom }),
    ticks.map((tick) =>
      element('line', { class: 'axis', x1: x(tick), x2: x(tick), y1: bottom, y2: bottom + 4 }),
    ),
    shown.map((tick) => textAt('middle quiet', x(tick), bottom + 15, label(tick))),
  ]
}

/** A single point has a whisker instead. */
function band({ points, series }: Line, x: Scale, y: Scale): Child {
  const set = points.filter(({ low, high }) => low !== undefined && high !== undefined)
  if (set.length < 2) {
    return set.map((point) =>
      element('line', {
        class: `whisker s${colourOf(series)}`,
        x1: x(point.x),
        x2: x(point.x),
        y1: y(point.low!),
        y2: y(point.high!),
      }),
    )
  }
  const corners = [
    ...set.map((point) => [x(point.x), y(point.high!)] as const),
    ...set.toReversed().map((point) => [x(point.x), y(point.low!)] as const),
  ]
  return element('polygon', {
    class: `band f${colourOf(series)}`,
    points: corners.map(([a, b]) => `${a.toFixed(1)},${b.toFixed(1)}`).join(' '),
  })
}

function drawLine(
  { name, points, series }: Line,
  x: Scale,
  y: Scale,
  show: (value: number) => string,
  label: (value: number) => string,
): Child {
  return [
    element('polyline', {
      class: `line s${colourOf(series)} d${shapeOf(series)}`,
      points: points.map((point) => `${x(point.x).toFixed(1)},${y(point.value).toFixed(1)}`).join(' '),
    }),
    withRoom(points, x).map(({ x: at, value, low, high, count }) =>
      element(
        'g',
        {},
        element(
          'title',
          {},
          low === undefined
            ? `${name}, ${label(at)}: ${show(value)}, n ${count}`
            : `${name}, ${label(at)}: ${percent(value)} % (${percent(low)}–${percent(high)}, n ${count})`,
        ),
        sign(series, x(at), y(value)),
      ),
    ),
  ]
}

/** Omits markers that would hide the line to the next one; the last one is always drawn. */
function withRoom(points: readonly LinePoint[], x: Scale): LinePoint[] {
  const shown: LinePoint[] = []
  for (const point of points.toReversed()) {
    const next = shown.at(-1)
    if (next === undefined || x(next.x) - x(point.x) >= signRoom) shown.push(point)
  }
  return shown.reverse()
}

/** Connects the end of a line with its name beside it. */
function leader({ points }: Line, x: Scale, end: number, place: number): Child {
  const from = x(points.at(-1)!.x) + 6
  const d = `M${from.toFixed(1)} ${end.toFixed(1)}L${besideLine.right + 5} ${place.toFixed(1)}`
  return element('path', { class: 'leader', d })
}

function named(
  { name, series }: Line,
  signAt: number,
  y: number,
  { nameFrom, nameWidth }: Pick<typeof besideLine, 'nameFrom' | 'nameWidth'>,
): Child {
  return [
    sign(series, signAt, y),
    element(
      'g',
      {},
      element('title', {}, name),
      textAt('start', nameFrom, y + 3.5, shortName(name, nameWidth)),
    ),
  ]
}
