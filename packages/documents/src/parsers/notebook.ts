/** Jupyter notebooks: the source of each cell, and under `[output]` what it printed; no pictures. */
import { stripVTControlCharacters } from 'node:util'
import { closesFence, fenceOf } from '../text/fence.ts'
import { hashHeading } from '../text/hash-heading.ts'
import { HeadingPath } from '../text/heading-path.ts'
import { htmlText } from '../text/html-text.ts'
import { broken, type Parsed, ParseFailure } from './parser.ts'

/** Forms of a result in order of preference: they all show the same. */
const forms = ['text/plain', 'text/markdown', 'text/latex', 'text/html']

export async function* parseNotebook(file: Uint8Array): AsyncIterable<Parsed> {
  const path = new HeadingPath()
  let isEmpty = true
  for (const [i, cell] of cellsOf(file).entries()) {
    const type = cell.cell_type
    const mark = type === 'heading' ? `${'#'.repeat(Math.min(6, Math.max(1, Number(cell.level) || 1)))} ` : ''
    const source = mark + textOf(cell.source ?? cell.input)
    const headings = type === 'code' ? [] : headingsIn(source)
    const [first] = headings
    if (first && source.trimStart().startsWith('#')) enter(path, headings.shift()!)
    let text = lines(source)
    for (const output of listOf(cell.outputs)) text += lines(await outputText(output), '[output]\n')
    if (text !== '') {
      yield {
        text: `${isEmpty ? '' : '\n'}${text}`,
        position: { headings: [...path.headings, `cell ${i + 1}`] },
      }
      isEmpty = false
    }
    for (const heading of headings) enter(path, heading)
  }
  if (isEmpty) throw new ParseFailure('no-text', 'its cells are empty')
}

type Json = Readonly<Record<string, unknown>>

/** Since version 4 of the format, cells are at the top; before, they were in worksheets. */
function cellsOf(file: Uint8Array): readonly Json[] {
  let notebook: Json
  try {
    notebook = objectOf(JSON.parse(new TextDecoder().decode(file)))
  } catch (cause) {
    throw broken(`it is no JSON: ${(cause as Error).message}`)
  }
  if (!Array.isArray(notebook.cells) && !Array.isArray(notebook.worksheets)) throw broken('it has no cells')
  return [notebook, ...listOf(notebook.worksheets)].flatMap(({ cells }) => listOf(cells))
}

async function outputText(output: Json): Promise<string> {
  const traceback = textOf(output.traceback, '\n')
  if (traceback !== '') return traceback
  if (typeof output.ename === 'string') return `${output.ename}: ${textOf(output.evalue)}`
  // In `data` since version 4.
  if (output.text !== undefined) return textOf(output.text)
  const data = objectOf(output.data)
  const form = forms.find((one) => data[one] !== undefined)
  const text = textOf(form && data[form])
  if (form !== 'text/html') return text
  let shown = ''
  for await (const part of htmlText([text])) shown += part.text
  return shown
}

/** A text may be a list of its lines, which keep their breaks; those of a traceback have none. */
const textOf = (value: unknown, between = ''): string =>
  stripVTControlCharacters(
    Array.isArray(value)
      ? value.filter((line) => typeof line === 'string').join(between)
      : typeof value === 'string'
        ? value
        : '',
  )

const lines = (text: string, before = ''): string =>
  text.trim() === '' ? '' : `${before}${text.trimEnd()}\n`

function headingsIn(markdown: string) {
  let open: string | undefined
  return markdown.split('\n').flatMap((line) => {
    const isCode = open !== undefined
    if (open === undefined) open = fenceOf(line)
    else if (closesFence(line, open)) open = undefined
    return isCode || open !== undefined ? [] : (hashHeading(line) ?? [])
  })
}

const enter = (path: HeadingPath, { level, title }: { readonly level: number; readonly title: string }) =>
  path.enter(level, title)

const objectOf = (value: unknown): Json =>
  typeof value === 'object' && value !== null ? (value as Json) : {}

const listOf = (value: unknown): readonly Json[] => (Array.isArray(value) ? value.map(objectOf) : [])
