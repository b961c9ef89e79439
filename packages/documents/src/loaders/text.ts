/** Plain text, with lines; and every text that no other loader claims, such as source code. */
import { decodeStream } from '@memagent/core'
import type { Loader } from '../loader.ts'

export const text: Loader = {
  name: 'text',
  version: 1,
  claims: () => true,
  async *load(source, { signal, invalidBytes }) {
    let isFirst = true
    for await (const piece of decodeStream(source.stream(), source.name, signal, { invalidBytes })) {
      yield { text: piece.text, ...(isFirst && { position: { line: 1 } }) }
      isFirst = false
    }
  },
}
