/** Signs of series: shape as well as colour. */
import { element, type Markup } from '../markup.ts'
import { colourOf, shapeOf } from './style.ts'

const radius = 4

/** Corners of the shapes that follow circle and square, as `x,y` from the middle of the sign. */
const polygons = [
  '0,-4.6 4.4,3.4 -4.4,3.4',
  '0,-5 5,0 0,5 -5,0',
  '0,4.6 4.4,-3.4 -4.4,-3.4',
  '-1.6,-4 1.6,-4 1.6,-1.6 4,-1.6 4,1.6 1.6,1.6 1.6,4 -1.6,4 -1.6,1.6 -4,1.6 -4,-1.6 -1.6,-1.6',
  '-4,-4 4,-4 -4,4 4,4',
  '-4,-4 4,4 4,-4 -4,4',
].map((corners) => corners.split(' ').map((corner) => corner.split(',').map(Number)))

/** @param series any number: colour and shape follow from it */
export function sign(series: number, x: number, y: number): Markup {
  const attributes = { class: `sign f${colourOf(series)}` }
  const shape = shapeOf(series)
  if (shape === 0) return element('circle', { ...attributes, cx: x, cy: y, r: radius })
  if (shape === 1) {
    const side = 2 * radius - 1
    return element('rect', { ...attributes, x: x - side / 2, y: y - side / 2, width: side, height: side })
  }
  const points = polygons[shape - 2]!.map(([dx, dy]) => `${(x + dx!).toFixed(1)},${(y + dy!).toFixed(1)}`)
  return element('polygon', { ...attributes, points: points.join(' ') })
}
