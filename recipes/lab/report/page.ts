/** The page's text between two marks is the report's; the rest is written by people. */
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type Block, writeMarkdown } from '@memagent/bench'
import { ablations } from './ablations.ts'
import { cost, type ReaderSize } from './cost.ts'
import { lengths } from './lengths.ts'
import { memorySize } from './memory-size.ts'
import type { Results } from './results.ts'
import { rewards } from './rewards.ts'
import { whatChanged } from './what-changed.ts'

export const [startMark, endMark] = ['<!-- experiments -->', '<!-- /experiments -->']

export const sections = (results: Results, size: ReaderSize): Block[] => [
  ...rewards(results),
  ...lengths(results),
  ...lengths(results, 'denseDecoys'),
  ...lengths(results, 'manyDecoys'),
  ...memorySize(results),
  ...whatChanged(results),
  ...ablations(results),
  ...cost(results, size),
]

/**
 * Writes the blocks between the page's marks, and the plots beside it; plots that it showed there and no longer shows are
 * removed. @throws Error when the marks are not there */
export async function writePage(path: string, blocks: readonly Block[]): Promise<void> {
  const page = await readFile(path, 'utf8')
  const [from, to] = [page.indexOf(startMark), page.indexOf(endMark)]
  if (from < 0 || to < from) throw new Error(`${path} lacks the marks ${startMark} and ${endMark}`)
  const { text, plots } = writeMarkdown(blocks)
  const shown = [...page.slice(from, to).matchAll(/\]\((plots\/[\w.-]+\.svg)\)/g)].map(([, name]) => name!)
  await writeFile(path, `${page.slice(0, from + startMark.length)}\n\n${text}\n${page.slice(to)}`)
  for (const plot of plots) {
    const file = join(dirname(path), plot.name)
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, plot.text)
  }
  for (const name of shown) {
    if (!plots.some((plot) => plot.name === name)) await rm(join(dirname(path), name), { force: true })
  }
}
