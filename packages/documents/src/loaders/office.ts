/** DOCX by headings, PPTX by slides, XLSX by sheets and rows. */
import type { Loader } from '../loader.ts'
import { parseWhole } from '../whole/parse-whole.ts'

export const office: Loader = {
  name: 'office',
  version: 7,
  kinds: ['docx', 'pptx', 'xlsx', 'office'],
  load: (source, context) => parseWhole(source, context, { parser: 'office', kind: 'an Office file' }),
}
