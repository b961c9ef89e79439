/** Signs of series: shape as well as colour. */
import { element, type Markup } from '../markup.ts'
import { colourOf, shapeOf } from './style.ts'

const radius = 4

/** @param series any number: colour and shape follow from it */
export function sign(series: number, x: number, y: number): Markup {
  const attributes = { class: `sign f${colourOf(series)}` }
  const path = (points: readonly (readonly [number, number])[]) =>
    element('polygon', {
      ...attributes,
      points: points.map(([dx, dy]) => `${(x + dx).toFixed(1)},${(y + dy).toFixed(1)}`).join(' '),
    })
  const r = radius
  switch (shapeOf(series)) {
    case 0:
      return element('circle', { ...attributes, cx: x, cy: y, r })
    case 1:
      return element('rect', {
        ...attributes,
        x: x - r + 0.5,
        y: y - r + 0.5,
        width: 2 * r - 1,
        height: 2 * r - 1,
      })
    case 2:
      return path([
        [0, -r - 0.6],
        [r + 0.4, r - 0.6],
        [-r - 0.4, r - 0.6],
      ])
    case 3:
      return path([
        [0, -r - 1],
        [r + 1, 0],
        [0, r + 1],
        [-r - 1, 0],
      ])
    case 4:
      return path([
        [0, r + 0.6],
        [r + 0.4, 0.6 - r],
        [-r - 0.4, 0.6 - r],
      ])
    case 5:
      return path([
        [-1.6, -r],
        [1.6, -r],
        [1.6, -1.6],
        [r, -1.6],
        [r, 1.6],
        [1.6, 1.6],
        [1.6, r],
        [-1.6, r],
        [-1.6, 1.6],
        [-r, 1.6],
        [-r, -1.6],
        [-1.6, -1.6],
      ])
    case 6:
      return path([
        [-r, -r],
        [r, -r],
        [-r, r],
        [r, r],
      ])
    default:
      return path([
        [-r, -r],
        [r, r],
        [r, -r],
        [-r, r],
      ])
  }
}
