import { describe, expect, it } from 'vitest'
import { drawLinePlot } from './line-plot.ts'
import type { LinePlot } from './plot.ts'

const plotOf = (xs: readonly number[], x?: LinePlot['x']): LinePlot => ({
  type: 'lines',
  title: 'Rewards',
  yTitle: 'strict, %',
  y: 'share',
  ...(x && { x }),
  lines: [{ name: 'seed 1', series: 0, points: xs.map((at) => ({ x: at, value: 0.5, count: 8 })) }],
})

/** Positions of the points. */
const places = (plot: LinePlot) => {
  const [, points] = /<polyline[^>]* points="([^"]*)"/.exec(drawLinePlot(plot).source)!
  return points!.split(' ').map((point) => Number(point.split(',')[0]))
}
const texts = (plot: LinePlot) =>
  [...drawLinePlot(plot).source.matchAll(/<text class="middle quiet"[^>]*>([^<]*)</g)].map(([, text]) => text)

describe('a line plot', () => {
  it('has document length on a logarithmic axis: ten times as long is as far everywhere', () => {
    const plot = plotOf([1000, 10_000, 100_000])
    const [first, second, third] = places(plot) as [number, number, number]
    expect(second - first).toBeCloseTo(third - second, 0)
    expect(texts(plot)).toEqual(['100K', '10K', '1K', 'tokens of the document'])
  })

  it('has steps on a linear axis that begins with step 0 and has marks at round numbers', () => {
    const plot = plotOf([0, 250, 1000], { title: 'steps', scale: 'linear' })
    const [first, second, third] = places(plot) as [number, number, number]
    expect((second - first) / (third - first)).toBeCloseTo(0.25, 2)
    expect(texts(plot)).toEqual(['1,000', '800', '600', '400', '200', '0', 'steps'])
    expect(drawLinePlot(plot).source).toContain('<title>seed 1, 250: 50, n 8</title>')
  })

  it('names its lines beside them, or all of them below where one has no room', () => {
    const namesOf = (...names: readonly string[]) => {
      const { lines, ...plot } = plotOf([1000, 10_000])
      const { source } = drawLinePlot({ ...plot, lines: names.map((name) => ({ ...lines[0]!, name })) })
      const shown = [...source.matchAll(/<text class="start" x="(\d+)"[^>]*>([^<]*)</g)]
      return {
        shown: shown.map(([, x, name]) => [Number(x) > 200, name]),
        height: Number(/height="(\d+)"/.exec(source)![1]),
      }
    }
    const beside = namesOf('bm25', 'overwrite')
    expect(beside.shown).toEqual([[true, 'bm25'], [true, 'overwrite']]) // biome-ignore format: one line
    const [one, other] = ['bundled, truncate (not trained)', 'bundled, bm25 (not trained)']
    const below = namesOf(one, other)
    expect(below.shown).toEqual([[false, one], [false, other]]) // biome-ignore format: one line
    expect(below.height).toBeGreaterThan(beside.height)
  })

  it('leaves out markers that would hide each other, but never the last', () => {
    const signs = (xs: readonly number[]) =>
      [
        ...drawLinePlot(plotOf(xs, { title: 'steps', scale: 'linear' })).source.matchAll(
          /<title>seed 1, (\d+):/g,
        ),
      ].map(([, at]) => Number(at))
    expect(signs([0, 1, 2, 3, 4])).toEqual([0, 1, 2, 3, 4])
    const many = Array.from({ length: 21 }, (_, i) => i)
    expect(signs(many)).toEqual(many.filter((i) => i % 2 === 0))
    expect(places(plotOf(many, { title: 'steps', scale: 'linear' }))).toHaveLength(21)
  })
})
