/** Office Open XML: the first element of the main part tells which kind of file it is. */
import { docxText } from './docx.ts'
import { broken, type Parsed, type ParserLimits } from './parser.ts'
import { pptxText } from './pptx.ts'
import { xlsxText } from './xlsx.ts'
import { ZipPackage } from './zip-package.ts'

const readers: Readonly<Record<string, (zip: ZipPackage, main: string) => AsyncIterable<Parsed>>> = {
  document: docxText,
  presentation: pptxText,
  workbook: xlsxText,
}

export async function* parseOffice(file: Uint8Array, limits: ParserLimits): AsyncIterable<Parsed> {
  const zip = await ZipPackage.open(file, limits)
  const main = await zip.mainPart()
  if (main.endsWith('.bin')) throw broken('it is a binary workbook, which must be saved as .xlsx first')
  const reader = readers[await rootOf(zip, main)]
  if (!reader) throw broken('it is no document, presentation or workbook')
  yield* reader(zip, main)
}

async function rootOf(zip: ZipPackage, part: string): Promise<string> {
  for await (const event of zip.xml(part)) if (event.kind === 'open') return event.name
  return ''
}
