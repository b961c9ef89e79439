/** Plots as SVG. */
import { element, type Markup, trusted } from '../markup.ts'
import { drawHeatMap } from './heat-map.ts'
import { drawIntervalPlot } from './interval-plot.ts'
import { drawLinePlot } from './line-plot.ts'
import type { Plot } from './plot.ts'
import { plotStyle, themes } from './style.ts'

/** For a page that has the plots' style. */
export function drawPlot(plot: Plot): Markup {
  switch (plot.type) {
    case 'lines':
      return drawLinePlot(plot)
    case 'heat-map':
      return drawHeatMap(plot)
    case 'intervals':
      return drawIntervalPlot(plot)
  }
}

/** As a standalone file, with its own style and background. */
export function drawPlotFile(plot: Plot): string {
  const { source } = drawPlot(plot)
  const open = source.indexOf('>') + 1
  const style = element('style', {}, trusted(`${themes}${plotStyle}`))
  const ground = '<rect width="100%" height="100%" style="fill: var(--ground)"></rect>'
  return `${source.slice(0, open)}${style.source}${ground}${source.slice(open)}\n`
}
