/** PDF: page by page; a page that gives no text, or not all of it, is told. */
import { getDocumentProxy } from 'unpdf'
import { broken, encrypted, type Parsed, ParseFailure } from './parser.ts'
import { pageText, type TextItem } from './pdf-lines.ts'

type PdfFile = Awaited<ReturnType<typeof getDocumentProxy>>

/** A page tree can announce a billion pages that are not there. */
const brokenPagesLimit = 100

export async function* parsePdf(file: Uint8Array): AsyncIterable<Parsed> {
  // The library keeps what it is given, and takes it away.
  const strict = await open(file.slice(), true)
  const withoutText: number[] = []
  const damaged: number[] = []
  let lenient: PdfFile | undefined
  for (let page = 1; page <= strict.numPages; page++) {
    let text: string
    try {
      text = await textOf(strict, page)
    } catch {
      damaged.push(page)
      lenient ??= await open(file.slice(), false)
      text = await textOf(lenient, page).catch(() => '')
      if (damaged.length > brokenPagesLimit)
        throw broken(`its first ${page} pages have ${damaged.length} that cannot be read`)
    }
    if (text.trim() === '') withoutText.push(page)
    else yield { text: `${text}\n`, position: { page } }
  }
  if (damaged.length === strict.numPages) throw broken('none of its pages can be read')
  if (withoutText.length === strict.numPages) throw noText(strict.numPages)
  if (damaged.length > 0) yield { warning: `${pages(damaged)} cannot be read completely: the file is broken` }
  const blank = withoutText.filter((page) => !damaged.includes(page))
  if (blank.length > 0) {
    yield { warning: `no text on ${pages(blank)}: blank, or a scan that needs text recognition (OCR)` }
  }
}

async function open(file: Uint8Array, stopAtErrors: boolean): Promise<PdfFile> {
  try {
    return await getDocumentProxy(file, { stopAtErrors, verbosity: 0, useSystemFonts: false })
  } catch (cause) {
    if ((cause as Error).name === 'PasswordException') throw encrypted()
    throw broken((cause as Error).message)
  }
}

async function textOf(file: PdfFile, number: number): Promise<string> {
  const page = await file.getPage(number)
  try {
    const { items } = await page.getTextContent({ disableNormalization: false })
    return pageText(items.filter((item): item is typeof item & TextItem => 'str' in item))
  } finally {
    page.cleanup()
  }
}

const noText = (count: number) =>
  new ParseFailure('no-text', count === 1 ? 'its page is a picture' : `its ${count} pages are pictures`)

/** `page 3`, `pages 3, 5-9` */
function pages(numbers: readonly number[]): string {
  const ranges: string[] = []
  for (let i = 0; i < numbers.length; ) {
    let last = i
    while (numbers[last + 1] === numbers[last]! + 1) last++
    ranges.push(last === i ? `${numbers[i]}` : `${numbers[i]}-${numbers[last]}`)
    i = last + 1
  }
  const shown = ranges.length > 20 ? [...ranges.slice(0, 20), 'others'] : ranges
  return `page${numbers.length === 1 ? '' : 's'} ${shown.join(', ')}`
}
