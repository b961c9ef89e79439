/**
 * Colours of plots and pages, light and dark. Series colours are after Okabe and Ito (2008), darkened or lightened until each
 * has a contrast of 3 to 1 with its ground; sign and dashes tell series apart without colour.
 */

const light = `
  --ground: #ffffff; --ink: #1b1f24; --muted: #57606a; --rule: #d5dae0; --tint: #f5f7f9; --warn-ground: #fff4d6; --warn-ink: #5c4300;
  --s0: #0072b2; --s1: #c4500a; --s2: #00835f; --s3: #a8527f; --s4: #a07200; --s5: #5e6670; --s6: #7a4fc4; --s7: #7d4e2d;`
const dark = `
  --ground: #14181d; --ink: #e6e9ed; --muted: #a3acb6; --rule: #3a424c; --tint: #1c2229; --warn-ground: #3a2f10; --warn-ink: #f3dd9f;
  --s0: #5ab4ee; --s1: #ff9457; --s2: #3fcca0; --s3: #e8a3cb; --s4: #e9c04f; --s5: #b4bcc6; --s6: #b79cf2; --s7: #cfa27c;`

export const heatSteps = 11

const lightStops: Stops = ['#eef3fa', '#6aa5d8', '#08306b']
const darkStops: Stops = ['#18222d', '#2f6ea5', '#c3e2ff']
type Stops = readonly [string, string, string]

const channels = (colour: string) => [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16))

function mix(stops: Stops, share: number): string {
  const [from, to, part] =
    share <= 0.5 ? [stops[0], stops[1], 2 * share] : [stops[1], stops[2], 2 * share - 1]
  const end = channels(to)
  return `#${channels(from)
    .map((channel, i) => Math.round(channel + part * (end[i]! - channel)))
    .map((channel) => channel.toString(16).padStart(2, '0'))
    .join('')}`
}

/** @param last the last step that has the ink of the low steps */
const heat = (stops: Stops, low: string, high: string, last: number) =>
  Array.from({ length: heatSteps }, (_, step) => {
    const ink = step <= last ? low : high
    return `--h${step}: ${mix(stops, step / (heatSteps - 1))}; --t${step}: ${ink};`
  }).join(' ')

const lightTheme = `${light} ${heat(lightStops, '#1b1f24', '#ffffff', 6)}`
const darkTheme = `${dark} ${heat(darkStops, '#ffffff', '#0b1016', 5)}`

/** Variables of both themes. Paper is light. */
export const themes = `:root { color-scheme: light dark; ${lightTheme} }
@media screen and (prefers-color-scheme: dark) { :root { ${darkTheme} } }`

/** Number of colours, of marker shapes and of dashes: past the last colour, they repeat with other shapes. */
export const seriesStyles = 8
const dashes = ['none', '7 3', '2 3', '9 3 2 3', '5 2 1 2 1 2', '12 4', '4 2', '1 2']

export const colourOf = (style: number): number => style % seriesStyles

/** Index of marker shape and dashes. */
export const shapeOf = (style: number): number => (style + Math.floor(style / seriesStyles)) % seriesStyles

export const plotStyle = `
.plot text { font: 11px system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; fill: var(--ink); font-variant-numeric: tabular-nums; }
.plot .title { font-size: 13px; font-weight: 600; }
.plot .quiet { fill: var(--muted); }
.plot .start { text-anchor: start; } .plot .middle { text-anchor: middle; } .plot .end { text-anchor: end; }
.plot .grid { stroke: var(--rule); stroke-width: 1; }
.plot .axis { stroke: var(--muted); stroke-width: 1; }
.plot .line { fill: none; stroke-width: 1.8; stroke-linejoin: round; }
.plot .whisker { stroke-width: 1.4; }
.plot .leader { stroke: var(--muted); stroke-width: 0.6; stroke-dasharray: 1 2; fill: none; }
.plot .sign { stroke: var(--ground); stroke-width: 0.8; }
.plot .band { opacity: 0.13; stroke: none; }
.plot .none { fill: none; stroke: var(--rule); stroke-dasharray: 2 2; }
${Array.from({ length: seriesStyles }, (_, i) => `.plot .s${i} { stroke: var(--s${i}); } .plot .f${i} { fill: var(--s${i}); } .plot .d${i} { stroke-dasharray: ${dashes[i]}; }`).join('\n')}
${Array.from({ length: heatSteps }, (_, i) => `.plot .h${i} { fill: var(--h${i}); } .plot text.t${i} { fill: var(--t${i}); }`).join('\n')}
.plot .few rect { opacity: 0.4; } .plot g.few text { fill: var(--ink); }
`
