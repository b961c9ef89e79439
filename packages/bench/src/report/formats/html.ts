/** The report as one HTML page: no scripts, no network, plots and style inline. */
import type { Analysis } from '../analysis/analyse.ts'
import type { Block, Table, TableCell } from '../block.ts'
import { type Child, element, type Markup, trusted } from '../markup.ts'
import { plainText } from '../plain-text.ts'
import { drawPlot } from '../plots/draw.ts'
import { blocksOf } from '../sections/registry.ts'
import { pageStyle } from './page-style.ts'
import type { ReportFile } from './report-file.ts'

/** `report.html` */
export const htmlFiles = (analysis: Analysis): ReportFile[] => [
  { name: 'report.html', text: page(blocksOf(analysis)) },
]

/** All text is escaped; if some is not, this policy keeps it from loading or running anything. */
const policy = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"

function page(blocks: readonly Block[]): string {
  const [title, ...rest] = blocks
  const body = rest.map((block, i) => write(block, `s${i}`))
  const contents = rest.flatMap((block, i) =>
    block.type === 'heading' && block.level === 2
      ? [element('li', {}, element('a', { href: `#s${i}` }, block.text))]
      : [],
  )
  const document = element(
    'html',
    { lang: 'en' },
    element(
      'head',
      {},
      element('meta', { charset: 'utf-8' }),
      element('meta', { 'http-equiv': 'Content-Security-Policy', content: policy }),
      element('meta', { name: 'viewport', content: 'width=device-width, initial-scale=1' }),
      element('title', {}, 'Benchmark report'),
      element('style', {}, trusted(pageStyle)),
    ),
    element(
      'body',
      {},
      write(title!, 'top'),
      element('nav', {}, element('ul', {}, contents)),
      element('main', {}, body),
    ),
  )
  return `<!doctype html>\n${document.source}\n`
}

function write(block: Block, id: string): Child {
  switch (block.type) {
    case 'heading':
      return element(`h${block.level}`, { id }, plainText(block.text))
    case 'paragraph':
      return element('p', block.tone === 'warning' ? { class: 'warning' } : {}, plainText(block.text))
    case 'list':
      return element(
        'ul',
        {},
        block.items.map((item) => element('li', {}, plainText(item))),
      )
    case 'figure':
      return element(
        'figure',
        {},
        element('figcaption', {}, plainText(block.caption)),
        element('div', { class: 'plots' }, block.plots.map(drawPlot)),
      )
    case 'table':
      return table(block)
  }
}

function table({ caption, columns, rows }: Table): Markup {
  const body = rows.flatMap(({ group, cells }, i) => [
    ...(group !== undefined && group !== rows[i - 1]?.group
      ? [
          element(
            'tr',
            { class: 'group' },
            element(
              'th',
              { colspan: columns.length, scope: 'rowgroup' },
              element('span', {}, plainText(group)),
            ),
          ),
        ]
      : []),
    element(
      'tr',
      {},
      cells.map((cell, column) => writeCell(cell, columns[column]?.kind ?? 'text', column)),
    ),
  ])
  return element(
    'div',
    { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': plainText(caption) },
    element(
      'table',
      {},
      element('caption', {}, plainText(caption)),
      element(
        'thead',
        {},
        element(
          'tr',
          {},
          columns.map(({ title, kind }) => element('th', { scope: 'col', class: kind }, plainText(title))),
        ),
      ),
      element('tbody', {}, body),
    ),
  )
}

/** Longer texts get a wider column. */
const longText = 24

function writeCell(cell: TableCell, kind: 'text' | 'number', column: number): Markup {
  const { value, notes } = typeof cell === 'string' ? { value: cell, notes: [] } : cell
  const text = plainText(value)
  const name = kind === 'text' && text.length > longText ? 'text long' : kind
  return element(
    column === 0 ? 'th' : 'td',
    { class: name, scope: column === 0 ? 'row' : undefined },
    text,
    notes.length === 0
      ? undefined
      : element(
          'span',
          { class: 'note' },
          notes.map((note, i) => [i > 0 ? ', ' : '', element('span', {}, plainText(note))]),
        ),
  )
}
