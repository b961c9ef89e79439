/** EPUB: its chapters in reading order, with headings. */
import type { Loader } from '../loader.ts'
import { parseWhole } from '../whole/parse-whole.ts'

export const epub: Loader = {
  name: 'epub',
  version: 6,
  kinds: ['epub'],
  load: (source, context) => parseWhole(source, context, { parser: 'epub', kind: 'an EPUB book' }),
}
