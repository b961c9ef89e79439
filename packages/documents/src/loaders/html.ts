/** HTML: its text as lines; positions are headings. */
import type { Loader } from '../loader.ts'
import { decodedText } from '../text/decoded-text.ts'
import { htmlText } from '../text/html-text.ts'

const beginning =
  /^\s*(?:<\?xml[^>]*>\s*)?(?:<!--(?:(?!-->)[\s\S])*-->\s*)*<(?:!doctype\s+html|html[\s>]|head[\s>]|body[\s>])/i
const declaration = /^\s*<\?xml\s/
const charset = /<meta[^>]{0,200}?charset\s*=\s*["']?\s*([\w-]+)/i

export const html: Loader = {
  name: 'html',
  version: 8,
  claims: ({ fileName, text }) =>
    /\.(html?|xhtml|xht)$/.test(fileName) ||
    (!/\.(md|txt|[cm]?[jt]sx?|php)$/.test(fileName) && beginning.test(text)),
  async *load(source, context, start) {
    const isXml = /\.xht(ml)?$/.test(start.fileName) || declaration.test(start.text)
    yield* htmlText(decodedText(source, context, charset.exec(start.text)?.[1]), isXml)
  },
}
