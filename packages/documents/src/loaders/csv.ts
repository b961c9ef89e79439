/** CSV and TSV as they are written; positions are rows (the heading is row 1) and lines. A quoted value may contain line breaks. */
import type { Loader } from '../loader.ts'
import { decodedText } from '../text/decoded-text.ts'
import { linesOf } from '../text/lines.ts'

export const csv: Loader = {
  name: 'csv',
  version: 1,
  isVerbatim: true,
  claims: ({ fileName }) => /\.(csv|tsv|tab)$/.test(fileName),
  async *load(source, context) {
    let [row, line, isQuoted] = [0, 0, false]
    for await (const { text, isContinued } of linesOf(decodedText(source, context))) {
      if (!isContinued) line++
      const begins = !isQuoted && !isContinued
      if (begins) row++
      // A quote inside a quoted value is doubled, which changes nothing.
      for (let at = text.indexOf('"'); at >= 0; at = text.indexOf('"', at + 1)) isQuoted = !isQuoted
      yield { text, ...(begins && { position: { row, line } }) }
    }
  },
}
