import { describe, expect, it } from 'vitest'
import { heatSteps, seriesStyles, themes } from './style.ts'

/** Variables of the light and the dark theme. */
const [light, dark] = themes
  .split('@media')
  .map(
    (css) =>
      new Map([...css.matchAll(/--([\w-]+):\s*(#[0-9a-f]{6})/g)].map(([, name, value]) => [name!, value!])),
  ) as [Map<string, string>, Map<string, string>]

/** Relative luminance and contrast ratio as WCAG 2.2 defines them. */
function luminance(colour: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  }) as [number, number, number]
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function contrast(a: string, b: string): number {
  const [dim, bright] = [luminance(a), luminance(b)].sort((x, y) => x - y) as [number, number]
  return (bright + 0.05) / (dim + 0.05)
}

describe.each([
  ['light', light],
  ['dark', dark],
])('the %s theme', (_, theme) => {
  const of = (name: string) => theme.get(name)!

  it('has text of a contrast of 4.5 and lines of 3 at least', () => {
    for (const text of ['ink', 'muted']) expect(contrast(of(text), of('ground'))).toBeGreaterThan(4.5)
    expect(contrast(of('warn-ink'), of('warn-ground'))).toBeGreaterThan(4.5)
    for (let i = 0; i < seriesStyles; i += 1) {
      expect(contrast(of(`s${i}`), of('ground')), `s${i}`).toBeGreaterThan(3)
    }
  })

  it('has readable numbers on every step of the heat map, which goes one way', () => {
    const steps = Array.from({ length: heatSteps }, (_, i) => i)
    for (const i of steps) expect(contrast(of(`t${i}`), of(`h${i}`)), `h${i}`).toBeGreaterThan(4.5)
    const away = steps.map((i) => contrast(of(`h${i}`), of('ground')))
    expect(away).toEqual(away.toSorted((a, b) => a - b))
  })
})
