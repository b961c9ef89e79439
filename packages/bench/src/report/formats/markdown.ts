/** The report as Markdown (GitHub's), with its plots as SVG files beside it. */
import type { Analysis } from '../analysis/analyse.ts'
import type { Block, Figure, Table, TableCell } from '../block.ts'
import { plainText } from '../plain-text.ts'
import { drawPlotFile } from '../plots/draw.ts'
import { blocksOf } from '../sections/registry.ts'
import type { ReportFile } from './report-file.ts'

/** `report.md`, and `plots/*.svg`. */
export function markdownFiles(analysis: Analysis): ReportFile[] {
  const { text, plots } = writeMarkdown(blocksOf(analysis))
  return [{ name: 'report.md', text }, ...plots]
}

/**
 * Blocks as text that links to its plots, `plots/*.svg`.
 * @param isTaken whether another page beside this one has a plot of that name. @default none has
 */
export function writeMarkdown(
  blocks: readonly Block[],
  isTaken: (name: string) => boolean = () => false,
): { text: string; plots: ReportFile[] } {
  const plots: ReportFile[] = []
  const parts = blocks.map((block) =>
    block.type === 'figure' ? figure(block, plots, isTaken) : write(block),
  )
  return { text: `${parts.join('\n\n')}\n`, plots }
}

/** Without plots, for a terminal. */
export const markdownText = (analysis: Analysis): string =>
  `${withoutFigures(blocksOf(analysis)).map(write).join('\n\n')}\n`

/** Also drops headings without content. */
function withoutFigures(blocks: readonly Block[]): Exclude<Block, Figure>[] {
  const kept: Exclude<Block, Figure>[] = []
  for (const block of blocks.toReversed()) {
    const next = kept.at(-1)
    const isEmpty =
      block.type === 'heading' &&
      (next === undefined || (next.type === 'heading' && next.level <= block.level))
    if (block.type !== 'figure' && !isEmpty) kept.push(block)
  }
  return kept.reverse()
}

function write(block: Exclude<Block, Figure>): string {
  switch (block.type) {
    case 'heading':
      return `${'#'.repeat(block.level)} ${markdown(block.text)}`
    case 'paragraph':
      return block.tone === 'warning' ? `> **Note:** ${markdown(block.text)}` : markdown(block.text)
    case 'list':
      return block.items.map((item) => `- ${markdown(item)}`).join('\n')
    case 'table':
      return table(block)
  }
}

function figure(
  { caption, plots }: Figure,
  files: ReportFile[],
  isOfOthers: (name: string) => boolean,
): string {
  const images = plots.map((plot) => {
    const stem = `${plot.type}-${plot.title
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-|-$/g, '')}`.slice(0, 60)
    const isTaken = (name: string) => isOfOthers(name) || files.some((file) => file.name === name)
    let name = `plots/${stem}.svg`
    for (let next = 2; isTaken(name); next += 1) name = `plots/${stem}-${next}.svg`
    files.push({ name, text: drawPlotFile(plot) })
    return `![${markdown(plot.title)}](${name})`
  })
  return `${markdown(caption)}\n\n${images.join('\n')}`
}

/** Columns are padded so that the source is readable. The group becomes a first column, named once. */
function table({ caption, groupTitle, columns, rows }: Table): string {
  const isGrouped = rows.some(({ group }) => group !== undefined)
  const kinds = [...(isGrouped ? ['text'] : []), ...columns.map(({ kind }) => kind ?? 'text')]
  const head = [...(isGrouped ? [groupTitle ?? ''] : []), ...columns.map(({ title }) => title)].map(markdown)
  const body = rows.map(({ group, cells }, i) => [
    ...(isGrouped ? [rows[i - 1]?.group === group ? '' : markdown(group ?? '')] : []),
    ...cells.map(cellText),
  ])
  const widths = head.map((title, column) =>
    Math.max(3, [...title].length, ...body.map((row) => [...row[column]!].length)),
  )
  const pad = (text: string, column: number) => {
    const space = ' '.repeat(widths[column]! - [...text].length)
    return kinds[column] === 'number' ? space + text : text + space
  }
  const line = (row: readonly string[]) => `| ${row.map(pad).join(' | ')} |`
  const rule = `| ${widths
    .map((width, column) => (kinds[column] === 'number' ? `${'-'.repeat(width - 1)}:` : '-'.repeat(width)))
    .join(' | ')} |`
  return [`**${markdown(caption)}**`, '', line(head), rule, ...body.map(line)].join('\n')
}

function cellText(cell: TableCell): string {
  if (typeof cell === 'string') return markdown(cell)
  return cell.notes.length === 0
    ? markdown(cell.value)
    : `${markdown(cell.value)} (${markdown(cell.notes.join(', '))})`
}

/** Escapes all markup, HTML, links and line ends. */
const markdown = (text: string): string =>
  plainText(text)
    .replace(/[\\`*_{}[\]|~$#]/g, '\\$&')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('://', '&#58;//')
    .replace(/www\./gi, (text) => `${text.slice(0, 3)}&#46;`)
    .replace(/(?<=\w)@(?=\w)/g, '&#64;')
