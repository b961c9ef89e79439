/** Texts as they are, including tables and diagrams, to be read in a circle like prose. */
import { createHash } from 'node:crypto'
import type { ProseSource } from '../prose/prose-source.ts'
import type { RealText } from './questions.ts'

/** Every text starts a file of the source, and ends with a blank line. */
export function wholeTexts(texts: readonly RealText[]): ProseSource {
  const paragraphs: string[] = []
  const fileStarts: number[] = []
  const hash = createHash('sha256')
  let uniqueBytes = 0
  for (const { text } of texts) {
    fileStarts.push(paragraphs.length)
    const own = `${text.trimEnd()}\n\n`
    for (const [paragraph] of own.matchAll(/\S[\s\S]*?\n[ \t]*\n\s*/g)) paragraphs.push(paragraph)
    hash.update(own)
    uniqueBytes += Buffer.byteLength(own)
  }
  const name = texts.map(({ path }) => path).join(', ')
  return {
    name,
    bytes: uniqueBytes,
    uniqueBytes,
    files: [],
    paragraphs,
    fileStarts,
    fingerprint: hash.digest('hex'),
  }
}
