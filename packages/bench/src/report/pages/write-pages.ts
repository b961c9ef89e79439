/** Writes the pages of a report: separate files, or the part between two marks of a page that people edit. */
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { ConfigurationError } from '@memagent/core'
import { analyse } from '../analysis/analyse.ts'
import type { Block, Heading } from '../block.ts'
import { type Collection, collectObservations } from '../collect-observations.ts'
import { writeMarkdown } from '../formats/markdown.ts'
import { writeReport } from '../write-report.ts'
import type { PageConfig, RecordFiles, ReportConfig } from './report-config.ts'
import { filesOf, sectionBlocks } from './sections.ts'

/**
 * @returns paths of the written files
 * @throws ConfigurationError for records that cannot be read, for pages without their marks, and for two pages or reports in one
 * place
 */
export async function writeReports({ pages, reports }: ReportConfig): Promise<string[]> {
  checkPlaces([
    ...pages.map(({ file, block }) => `${resolve(file)}${block === undefined ? '' : `, ${block}`}`),
    ...reports.map(({ folder }) => resolve(folder)),
  ])
  const written: string[] = []
  const collect = collectOnce()
  for (const { records, folder, reader, formats } of reports) {
    const analysis = analyse(await collect(records), { reader })
    written.push(...(await writeReport(analysis, folder, formats)))
  }
  for (const page of pages) written.push(...(await writePage(page, written, collect)))
  return written
}

export type Collect = (records: RecordFiles) => Promise<Collection>

/** Reads the same records once if they are asked for again at once, as pages do; others would fill the memory. */
export function collectOnce(): Collect {
  let last: { readonly records: string; readonly collection: Collection } | undefined
  return async (asked) => {
    const records = JSON.stringify(asked)
    if (last?.records !== records) last = { records, collection: await collectObservations(filesOf(asked)) }
    return last.collection
  }
}

function checkPlaces(places: readonly string[]): void {
  const twice = places.find((place, i) => places.indexOf(place) !== i)
  if (twice === undefined) return
  throw new ConfigurationError({
    code: 'bench/same-page',
    message: `The configuration writes ${twice} twice.`,
    hint: 'Put the sections of a page together, or give each page or report a place of its own.',
    details: { place: twice },
  })
}

async function writePage(page: PageConfig, written: readonly string[], collect: Collect): Promise<string[]> {
  const { file, block, title, text } = page
  const level = block === undefined ? 2 : 3
  const blocks = [...headOf(title, text, (level - 1) as Heading['level'])]
  for (const section of page.sections) {
    blocks.push(...headOf(section.title, section.text, level), ...(await sectionBlocks(section, collect)))
  }
  return writeBlocks(blocks, file, block, written)
}

const headOf = (title: string | undefined, text: string | undefined, level: Heading['level']): Block[] => [
  ...(title === undefined ? [] : [{ type: 'heading' as const, level, text: title }]),
  ...(text === undefined ? [] : [{ type: 'paragraph' as const, text }]),
]

/**
 * Plots go beside the page; plots that the page no longer shows are removed.
 * @param block name of the marks; without it, the whole page is written
 * @param written files of other pages, which stay
 */
export async function writeBlocks(
  blocks: readonly Block[],
  file: string,
  block?: string,
  written: readonly string[] = [],
): Promise<string[]> {
  const before = await readFile(file, 'utf8').catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === 'ENOENT' && block === undefined) return ''
    throw unwritable(file, cause)
  })
  const [start, end] = block === undefined ? [0, before.length] : insideMarks(before, file, block)
  const folder = dirname(file)
  const others = new Set(written.map((path) => resolve(path)))
  const isOfOthers = (name: string) => others.has(resolve(folder, name))
  const { text, plots } = writeMarkdown(blocks, isOfOthers)
  const shown = [...before.slice(start, end).matchAll(/\]\((plots\/[\w.-]+\.svg)\)/g)].map(
    ([, name]) => name!,
  )
  const page = block === undefined ? text : `${before.slice(0, start)}\n\n${text}\n${before.slice(end)}`
  try {
    await mkdir(folder, { recursive: true })
    await writeFile(file, page)
    if (plots.length > 0) await mkdir(join(folder, 'plots'), { recursive: true })
    for (const plot of plots) await writeFile(join(folder, plot.name), plot.text)
    for (const name of shown) {
      if (!page.includes(`](${name})`) && !isOfOthers(name)) await rm(join(folder, name), { force: true })
    }
  } catch (cause) {
    throw unwritable(file, cause)
  }
  return [file, ...plots.map(({ name }) => join(folder, name))]
}

/** Start and end of the text between the marks. */
function insideMarks(page: string, file: string, block: string): readonly [number, number] {
  const marks = [`<!-- ${block} -->`, `<!-- /${block} -->`] as const
  const [start, end] = [page.indexOf(marks[0]), page.indexOf(marks[1])]
  if (start >= 0 && end > start) return [start + marks[0].length, end]
  throw new ConfigurationError({
    code: 'bench/no-marks',
    message: `${file} lacks the marks ${marks.join(' and ')}.`,
    hint: 'The report is written between them: put both on lines of their own.',
    details: { file },
  })
}

const unwritable = (file: string, cause: unknown) =>
  new ConfigurationError({
    code: 'bench/unwritable-report',
    message: `Cannot write ${file}: ${(cause as Error).message}`,
    details: { file },
    cause,
  })
