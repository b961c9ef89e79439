/** Formats that cannot be streamed: a parser in a thread gets the whole file. */
import type { Loader } from '../loader.ts'
import type { ParserName } from '../parsers/registry.ts'
import { parseWhole } from '../whole/parse-whole.ts'

/** @param kind with its article: `a PDF` */
const parsed = (parser: ParserName, version: number, kind: string, kinds: readonly string[]): Loader => ({
  name: parser,
  version,
  kinds,
  load: (source, context) => parseWhole(source, context, { parser, kind }),
})

export const parsedWhole: readonly Loader[] = [
  // By pages.
  parsed('pdf', 5, 'a PDF', ['pdf']),
  // DOCX by headings, PPTX by slides, XLSX by sheets and rows.
  parsed('office', 10, 'an Office file', ['docx', 'pptx', 'xlsx', 'office']),
  // ODT by headings, ODP by slides, ODS by sheets and rows.
  parsed('opendocument', 7, 'an OpenDocument file', ['odt', 'opendocument']),
  // By headings.
  parsed('rtf', 6, 'an RTF file', ['rtf']),
  // Its chapters in reading order, with headings.
  parsed('epub', 8, 'an EPUB book', ['epub']),
  // By cells, with headings.
  {
    ...parsed('notebook', 2, 'a notebook', []),
    claims: ({ fileName, text }) => fileName.endsWith('.ipynb') && /^\s*\{/.test(text),
  },
]
