/** PDF, by pages. */
import type { Loader } from '../loader.ts'
import { parseWhole } from '../whole/parse-whole.ts'

export const pdf: Loader = {
  name: 'pdf',
  version: 4,
  kinds: ['pdf'],
  load: (source, context) => parseWhole(source, context, { parser: 'pdf', kind: 'a PDF' }),
}
