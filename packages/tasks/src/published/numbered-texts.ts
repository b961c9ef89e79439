/** Finds where the texts of a joined text begin, by the headings that benchmarks use: "Document 1:" etc. on a line of its own. */
import type { TextDocument } from '@memagent/core'
import { createTextDocument } from '@memagent/core'

const head = /(?<=^|\n)(?:Document|Passage) (\d+):\n/g

/** The document with the starts of its texts, if it has several; numbers out of order are not headings. */
export function documentOfNumberedTexts(text: string, name: string): TextDocument {
  const textStarts: number[] = []
  let [characters, bytes] = [0, 0]
  for (const { 1: number, index } of text.matchAll(head)) {
    if (Number(number) !== textStarts.length + 1) continue
    bytes += Buffer.byteLength(text.slice(characters, index))
    characters = index
    textStarts.push(bytes)
  }
  const document = createTextDocument(text, name)
  return textStarts.length > 1 ? { ...document, textStarts } : document
}
