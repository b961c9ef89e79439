/** Plain text in any encoding, with lines; and every text that no other loader claims, such as source code. */
import type { Loader } from '../loader.ts'
import { decodedText } from '../text/decoded-text.ts'

export const text: Loader = {
  name: 'text',
  version: 1,
  isVerbatim: true,
  kinds: ['utf-16le', 'utf-16be', 'utf-32', 'utf-32le', 'utf-32be'],
  claims: () => true,
  async *load(source, context) {
    let isFirst = true
    for await (const piece of decodedText(source, context)) {
      yield { text: piece, ...(isFirst && { position: { line: 1 } }) }
      isFirst = false
    }
  },
}
