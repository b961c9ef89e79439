/**
 * PDF: page by page, each with descriptions of its pictures, its form and comments; warns about pages that give no text, or only
 * part of it.
 */
import { getDocumentProxy, getResolvedPDFJS } from 'unpdf'
import { broken, encrypted, type Parsed, ParseFailure } from './parser.ts'
import { annotationLines, type PdfAnnotation } from './pdf-annotations.ts'
import { hasIntactEnd } from './pdf-end.ts'
import { isLegible } from './pdf-legible.ts'
import { mayBeLetterSpaced, textEnd, withoutLetterSpacing } from './pdf-letter-spacing.ts'
import { pageText, type TextItem } from './pdf-lines.ts'
import { type PdfStructure, pictureLines } from './pdf-pictures.ts'

type PdfFile = Awaited<ReturnType<typeof getDocumentProxy>>

/** A page tree can claim a billion pages that do not exist. */
const brokenPagesLimit = 100

export async function* parsePdf(file: Uint8Array): AsyncIterable<Parsed> {
  const isIntact = hasIntactEnd(file)
  // The library takes over its input, so it gets a copy.
  const strict = await open(file.slice(), true)
  let opened: Promise<PdfFile> | undefined
  const lenient = () => (opened ??= open(file.slice(), false))
  const withoutText: number[] = []
  const illegible: number[] = []
  const damaged: number[] = []
  let isWritten = false
  for (let page = 1; page <= strict.numPages; page++) {
    let read: ReadPage
    try {
      read = await readPage(strict, page, lenient)
    } catch {
      damaged.push(page)
      read = await readPage(await lenient(), page, lenient, () => []).catch(() => ({ text: '', written: '' }))
      if (damaged.length > brokenPagesLimit)
        throw broken(`its first ${page} pages have ${damaged.length} that cannot be read`)
    }
    const { written } = read
    const text = isLegible(read.text) ? read.text : ''
    if (text !== read.text) illegible.push(page)
    else if (text === '') withoutText.push(page)
    if (written !== '') isWritten = true
    if (text !== '' || written !== '') yield { text: text + written, position: { page } }
  }
  if (damaged.length === strict.numPages) throw broken('none of its pages can be read')
  if (withoutText.length + illegible.length === strict.numPages && !isWritten)
    throw noText(strict.numPages, illegible.length)
  if (damaged.length > 0) yield { warning: `${pages(damaged)} cannot be read completely: the file is broken` }
  if (!isIntact) {
    yield { warning: 'its end is missing or broken, perhaps because it was cut off: text may be missing' }
  }
  if (illegible.length > 0) {
    yield {
      warning: `the fonts on ${pages(illegible)} do not tell which letters they show, which needs text recognition (OCR)`,
    }
  }
  const blank = withoutText.filter((page) => !damaged.includes(page))
  if (blank.length > 0) {
    yield { warning: `no text on ${pages(blank)}: blank, or a scan that needs text recognition (OCR)` }
  }
}

async function open(file: Uint8Array, stopAtErrors: boolean): Promise<PdfFile> {
  try {
    // Pictures are not decoded; a strict file would stop at them.
    const maxImageSize = stopAtErrors ? -1 : 1
    return await getDocumentProxy(file, { stopAtErrors, maxImageSize, verbosity: 0, useSystemFonts: false })
  } catch (cause) {
    if ((cause as Error).name === 'PasswordException') throw encrypted()
    throw broken((cause as Error).message)
  }
}

interface ReadPage {
  /** The text of the page itself. */
  readonly text: string
  /** Descriptions of its pictures, its form and comments, which a scanned page may have too. */
  readonly written: string
}

/**
 * @param lenient opens the file in the way that skips what it cannot read
 * @param otherwise gives the form and comments if those of the page are broken @default the error is thrown
 */
async function readPage(
  file: PdfFile,
  number: number,
  lenient: () => Promise<PdfFile>,
  otherwise: (cause: unknown) => readonly PdfAnnotation[] = (cause) => {
    throw cause
  },
): Promise<ReadPage> {
  const page = await file.getPage(number)
  try {
    const { items } = await page.getTextContent({ disableNormalization: false })
    const pieces = items.filter((item): item is typeof item & TextItem => 'str' in item)
    const text = pageText(
      mayBeLetterSpaced(pieces)
        ? withoutLetterSpacing(pieces, await glyphsOf(await lenient(), number).catch(() => ''))
        : pieces,
    )
    const annotations: readonly PdfAnnotation[] = await page.getAnnotations().catch(otherwise)
    const structure = await page.getStructTree().catch(() => null)
    const pictures = pictureLines(structure as PdfStructure | null)
    const lines = [...pictures, ...annotationLines(annotations)]
    return {
      text: text.trim() === '' ? '' : `${text}\n`,
      written: lines.map((line) => `${line}\n`).join(''),
    }
  } finally {
    page.cleanup()
  }
}

/** The text of all glyphs of a page, spaces included where they are drawn. */
async function glyphsOf(file: PdfFile, number: number): Promise<string> {
  // Node 20 lacks what the library hands fonts over with.
  const buffers = ArrayBuffer.prototype as { transferToFixedLength?(length: number): ArrayBuffer }
  buffers.transferToFixedLength ??= function (this: ArrayBuffer, length) {
    return this.slice(0, length)
  }
  const { OPS, AnnotationMode } = await getResolvedPDFJS()
  const page = await file.getPage(number)
  try {
    const { fnArray, argsArray } = await page.getOperatorList({ annotationMode: AnnotationMode.DISABLE })
    let glyphs = ''
    for (const [i, operator] of fnArray.entries()) {
      if (operator === OPS.endText) glyphs += textEnd
      if (operator !== OPS.showText) continue
      for (const glyph of (argsArray[i] as [readonly Glyph[]])[0]) glyphs += glyph?.unicode ?? ''
    }
    return glyphs
  } finally {
    page.cleanup()
  }
}

/** Or a number, by which the next glyph is moved. */
type Glyph = { readonly unicode?: string } | null

function noText(count: number, illegible: number): ParseFailure {
  const why =
    illegible > 0
      ? 'its fonts do not tell which letters they show'
      : count === 1
        ? 'its page is a picture'
        : `its ${count} pages are pictures`
  return new ParseFailure('no-text', why)
}

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
