/** Markdown as it is written; positions are headings and lines. */
import type { LoadedText, Loader } from '../loader.ts'
import { decodedText } from '../text/decoded-text.ts'
import { closesFence, fenceOf } from '../text/fence.ts'
import { hashHeading } from '../text/hash-heading.ts'
import { HeadingPath } from '../text/heading-path.ts'
import { type LinePart, linesOf } from '../text/lines.ts'

const underline = /^ {0,3}(=+|-{2,})[ \t]*\r?\n?$/
/** Lines that an underline does not make a heading: blank, lists, quotes, tables, code. */
const noTitle = /^\s*$|^ {0,3}(?:[-*+>|#]|\d+[.)])|^ {4}|\|/
/** A longer piece is yielded at once. */
const usual = 65_536

export const markdown: Loader = {
  name: 'markdown',
  version: 2,
  isVerbatim: true,
  claims: ({ fileName }) => /\.(md|markdown|mkd|mdx|qmd|rmd)$/.test(fileName),
  async *load(source, context) {
    yield* sections(linesOf(decodedText(source, context)))
  },
}

async function* sections(lines: AsyncIterable<LinePart>): AsyncGenerator<LoadedText> {
  const path = new HeadingPath()
  let [text, line, openFence, isFrontMatter]: [string, number, string | undefined, boolean] = [
    '',
    0,
    undefined,
    false,
  ]
  let isComment = false
  let position: LoadedText['position'] = { line: 1 }
  /** The previous line, which an underline may turn into a heading. */
  let before = ''
  const take = (): LoadedText[] => {
    const taken = text === '' ? [] : [{ text, ...(position && { position }) }]
    if (text !== '') position = undefined
    text = ''
    return taken
  }
  for await (const { text: part, isContinued } of lines) {
    if (isContinued) {
      text += before + part
      before = ''
      yield* take()
      continue
    }
    line++
    const mark = isComment ? undefined : fenceOf(part)
    const isCode = openFence !== undefined || isFrontMatter || isComment
    if (line === 1 && /^---\s*$/.test(part)) isFrontMatter = true
    else if (isFrontMatter) isFrontMatter = !/^(---|\.\.\.)\s*$/.test(part)
    else if (openFence) {
      if (closesFence(part, openFence)) openFence = undefined
    } else if (isComment) isComment = !part.includes('-->')
    else if (mark) openFence = mark
    else if (/^ {0,3}<!--/.test(part) && !part.includes('-->')) isComment = true
    else {
      const heading = hashHeading(part)
      const under = !heading && !noTitle.test(before) ? underline.exec(part) : null
      if (heading) {
        text += before
        before = ''
        yield* take()
        position = { headings: path.enter(heading.level, heading.title), line }
      } else if (under) {
        yield* take()
        position = { headings: path.enter(under[1]!.startsWith('=') ? 1 : 2, before), line: line - 1 }
      }
    }
    text += before
    // A line inside code, a comment or front matter is not a title.
    before = part
    if (isCode || openFence || isFrontMatter || isComment) {
      text += before
      before = ''
    }
    if (text.length > usual) yield* take()
  }
  text += before
  yield* take()
}
