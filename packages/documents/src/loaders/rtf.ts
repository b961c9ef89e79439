/** RTF, by headings. */
import type { Loader } from '../loader.ts'
import { parseWhole } from '../whole/parse-whole.ts'

export const rtf: Loader = {
  name: 'rtf',
  version: 5,
  kinds: ['rtf'],
  load: (source, context) => parseWhole(source, context, { parser: 'rtf', kind: 'an RTF file' }),
}
