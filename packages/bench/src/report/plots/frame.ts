/** What all plots share: the drawing's size and its title. Text keeps its size in a window of 360 px, as plots are that wide. */
import { type Child, element, type Markup } from '../markup.ts'
import { shortName } from './short-name.ts'

export const plotWidth = 360

export const frame = (title: string, height: number, ...children: readonly Child[]): Markup =>
  element(
    'svg',
    {
      xmlns: 'http://www.w3.org/2000/svg',
      class: 'plot',
      viewBox: `0 0 ${plotWidth} ${height}`,
      width: plotWidth,
      height,
      role: 'img',
      'aria-label': title,
    },
    textAt('title start', 4, 15, shortName(title, plotWidth - 8, 13.5)),
    ...children,
  )

export const textAt = (kind: string, x: number, y: number, text: string): Markup =>
  element('text', { class: kind, x, y }, text)
