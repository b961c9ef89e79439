/** Plots as data: what is drawn, not how. Types only. */

export type Plot = LinePlot | HeatMap | IntervalPlot

interface Titled {
  readonly title: string
}

/** Lines over document length, unless `x` says otherwise. */
export interface LinePlot extends Titled {
  readonly type: 'lines'
  /** @default 'tokens of the document', logarithmic */
  readonly x?: HorizontalAxis
  readonly yTitle: string
  /** `share`: 0 to 100 %; `log`: amounts. */
  readonly y: 'share' | 'log'
  readonly lines: readonly Line[]
}

export interface HorizontalAxis {
  readonly title: string
  /** `log`: ticks at the values, which are above 0; `linear`: ticks at round numbers. */
  readonly scale: 'log' | 'linear'
}

export interface Line {
  readonly name: string
  /** The same number in all plots: it determines colour, sign and dashes (`style.ts`). */
  readonly series: number
  readonly points: readonly LinePoint[]
}

export interface LinePoint {
  /** Tokens of the document, or what the axis shows. */
  readonly x: number
  readonly value: number
  readonly low?: number | undefined
  readonly high?: number | undefined
  readonly count: number
}

/** Shares by length and depth. */
export interface HeatMap extends Titled {
  readonly type: 'heat-map'
  readonly cells: readonly {
    readonly lengthTokens: number
    readonly fromDepth: number
    readonly toDepth: number
    readonly value: number
    readonly low: number
    readonly high: number
    readonly count: number
  }[]
}

/** Differences with their intervals, one row each. */
export interface IntervalPlot extends Titled {
  readonly type: 'intervals'
  readonly xTitle: string
  readonly series: number
  readonly rows: readonly {
    readonly name: string
    readonly value: number
    readonly low: number
    readonly high: number
    readonly count: number
  }[]
}
