/** Accuracy by depth and length: a grid of cells, each with its percentage. */
import { element, type Markup } from '../markup.ts'
import { lengthLabel, percent } from '../numbers.ts'
import { frame, plotWidth, textAt } from './frame.ts'
import type { HeatMap } from './plot.ts'
import { heatSteps } from './style.ts'

const [left, top, right, rowHeight, bottom] = [52, 40, plotWidth - 4, 19, 38]
/** Keeps the cells of a few lengths from becoming bars. */
const widestCell = 52

/** A share of fewer samples says little. */
const fewSamples = 5

export function drawHeatMap({ title, cells }: HeatMap): Markup {
  const lengths = [...new Set(cells.map(({ lengthTokens }) => lengthTokens))].sort((a, b) => a - b)
  const depth = cells[0] === undefined ? 1 : cells[0].toDepth - cells[0].fromDepth
  const rows = Math.round(1 / depth)
  const width = Math.min(widestCell, (right - left) / Math.max(1, lengths.length))
  const gridBottom = top + rows * rowHeight
  const found = new Map(
    cells.map((cell) => [`${cell.lengthTokens} ${Math.round(cell.fromDepth * rows)}`, cell]),
  )
  return frame(
    title,
    gridBottom + bottom,
    textAt('start quiet', 4, 32, 'depth %'),
    Array.from({ length: rows }, (_, row) =>
      textAt(
        'end quiet',
        left - 6,
        top + (row + 0.5) * rowHeight + 3.5,
        `${Math.round((100 * row) / rows)}–${Math.round((100 * (row + 1)) / rows)}`,
      ),
    ),
    lengths.map((length, column) =>
      Array.from({ length: rows }, (_, row) => {
        const cell = found.get(`${length} ${row}`)
        const box = {
          x: left + column * width + 0.75,
          y: top + row * rowHeight + 0.75,
          width: width - 1.5,
          height: rowHeight - 1.5,
          rx: 2,
        }
        if (cell === undefined) return element('rect', { class: 'none', ...box })
        const step = Math.round(cell.value * (heatSteps - 1))
        return element(
          'g',
          cell.count < fewSamples ? { class: 'few' } : {},
          element(
            'title',
            {},
            `${lengthLabel(length)}, depth ${Math.round(100 * cell.fromDepth)}–${Math.round(100 * cell.toDepth)} %: ${percent(cell.value)} % (${percent(cell.low)}–${percent(cell.high)}, n ${cell.count})`,
          ),
          element('rect', { class: `h${step}`, ...box }),
          textAt(
            `middle t${step}`,
            box.x + box.width / 2,
            box.y + rowHeight / 2 + 3,
            `${Math.round(100 * cell.value)}`,
          ),
        )
      }),
    ),
    lengths.map((length, column) =>
      textAt('middle quiet', left + (column + 0.5) * width, gridBottom + 14, lengthLabel(length)),
    ),
    textAt('middle quiet', left + (lengths.length * width) / 2, gridBottom + 31, 'tokens of the document'),
  )
}
