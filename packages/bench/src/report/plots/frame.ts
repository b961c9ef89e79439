/** What all plots share: size and title. Plots are 360 px wide, so their text keeps its size in a window of that width. */
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
