/** Style of the HTML page: for a wide window, a window of 360 px, and paper. */
import { plotStyle, themes } from '../plots/style.ts'

export const pageStyle = `${themes}${plotStyle}
* { box-sizing: border-box; }
html { background: var(--ground); color: var(--ink); font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; -webkit-text-size-adjust: 100%; }
body { margin: 0 auto; max-width: 72rem; padding: 1.5rem 1rem 4rem; overflow-wrap: break-word; }
h1 { font-size: 1.7rem; line-height: 1.2; margin: 0 0 1rem; }
h2 { font-size: 1.3rem; margin: 2.6rem 0 0.8rem; padding-top: 0.8rem; border-top: 1px solid var(--rule); }
h3 { font-size: 1.08rem; margin: 2rem 0 0.3rem; }
p, ul { margin: 0.5rem 0; max-width: 46rem; }
ul { padding-left: 1.2rem; }
a { color: inherit; }
nav ul { list-style: none; padding: 0; display: flex; flex-wrap: wrap; gap: 0.15rem 1rem; max-width: none; }
.warning { background: var(--warn-ground); color: var(--warn-ink); padding: 0.5rem 0.8rem; border-radius: 4px; }
figure { margin: 1rem 0 1.5rem; }
figcaption, caption { color: var(--muted); font-size: 0.87rem; text-align: left; }
figcaption { max-width: 46rem; margin-bottom: 0.6rem; }
.plots { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 328px), 1fr)); gap: 1.2rem 1rem; align-items: start; }
.plot { display: block; width: 100%; max-width: 420px; height: auto; }
.scroll { overflow-x: auto; margin: 0.9rem 0 1.4rem; }
table { border-collapse: collapse; font-size: 0.87rem; font-variant-numeric: tabular-nums; }
caption { padding-bottom: 0.35rem; max-width: min(46rem, calc(100vw - 2rem)); position: sticky; left: 0; }
th, td { padding: 0.25rem 0.6rem; text-align: left; vertical-align: top; border-bottom: 1px solid var(--rule); }
thead th { vertical-align: bottom; border-bottom: 2px solid var(--rule); font-weight: 600; }
tbody th { font-weight: 400; min-width: 5.5rem; max-width: 12rem; }
.number { text-align: right; }
td.number { white-space: nowrap; }
.number .note { white-space: normal; }
.number .note span { white-space: nowrap; }
thead th { overflow-wrap: normal; }
th.number { max-width: 11rem; }
td.text { min-width: 7rem; max-width: 26rem; }
td.long { min-width: 13rem; }
.note { display: block; color: var(--muted); font-size: 0.8rem; }
tr.group th { background: var(--tint); font-weight: 600; max-width: none; }
tr.group span { position: sticky; left: 0.6rem; }
thead tr:first-child th:first-child, tbody tr:not(.group) th { position: sticky; left: 0; background: var(--ground); }
footer { color: var(--muted); font-size: 0.87rem; margin-top: 3rem; }
@media (max-width: 480px) {
  body { padding: 1rem 1rem 3rem; }
  h1 { font-size: 1.4rem; }
  th, td { padding: 0.25rem 0.4rem; }
  tbody th { max-width: 8rem; }
}
@page { margin: 15mm 12mm; }
@media print {
  html { font-size: 10pt; }
  body { max-width: none; padding: 0; }
  nav { display: none; }
  h2, h3, figcaption, caption { break-after: avoid; }
  p, li, figcaption, caption { break-inside: avoid; }
  .scroll { overflow: visible; }
  .plots { display: block; }
  .plots > * { display: inline-block; vertical-align: top; width: 48%; margin: 0 1% 4mm 0; break-inside: avoid; }
  thead { display: table-header-group; }
  tr { break-inside: avoid; }
  tr.group { break-after: avoid; }
  table { font-size: 7.5pt; max-width: 100%; }
  th, td { padding: 0.15rem 0.4rem; }
  th.number { max-width: none; }
  td.number { white-space: normal; }
  td.text, td.long, tbody th { min-width: 0; overflow-wrap: anywhere; }
  thead tr:first-child th:first-child, tbody tr:not(.group) th, caption, tr.group span { position: static; }
  .note { font-size: 6.5pt; }
  .warning { border: 1px solid var(--rule); }
}
`
