/** ODT by headings, ODP by slides, ODS by sheets and rows. */
import type { Loader } from '../loader.ts'
import { parseWhole } from '../whole/parse-whole.ts'

export const opendocument: Loader = {
  name: 'opendocument',
  version: 6,
  kinds: ['odt', 'opendocument'],
  load: (source, context) =>
    parseWhole(source, context, { parser: 'opendocument', kind: 'an OpenDocument file' }),
}
