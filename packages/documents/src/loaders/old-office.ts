/** The container of `.doc`, `.xls` and `.ppt`, and of encrypted DOCX, XLSX and PPTX: refused, with advice. */
import { DocumentError } from '@memagent/core'
import { wholeBytes } from '../byte-source.ts'
import { encrypted } from '../failures.ts'
import type { Loader } from '../loader.ts'

export const oldOffice: Loader = {
  name: 'old-office',
  version: 1,
  kinds: ['ole'],
  async *load(source, context) {
    const { name } = source
    // Stream names are UTF-16.
    const isThere = (stream: string) => bytes.includes(Buffer.from(stream, 'utf16le'))
    const bytes = await wholeBytes(source, context)
    if (isThere('EncryptedPackage')) throw encrypted(name, 'an Office file')
    const [kind, advice] = isThere('WordDocument')
      ? ['a Word document of the format before 2007 (.doc)', 'soffice --headless --convert-to docx']
      : isThere('PowerPoint Document')
        ? ['a presentation of the format before 2007 (.ppt)', 'soffice --headless --convert-to pptx']
        : isThere('Workbook') || isThere('Book')
          ? ['a workbook of the format before 2007 (.xls)', 'soffice --headless --convert-to xlsx']
          : ['an old Office file or message (.msg)', undefined]
    throw new DocumentError({
      code: 'document/old-format',
      message: `${name} is ${kind}, which cannot be read.`,
      hint: advice
        ? `Convert it first: ${advice} FILE`
        : 'Save it in another format first, such as .eml or .pdf.',
      details: { source: name },
    })
  },
}
