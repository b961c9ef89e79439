import { expect, it } from 'vitest'
import { pdfOf } from '../testing/flate-bomb.ts'
import type { Parsed } from './parser.ts'
import { parsePdf } from './pdf.ts'
import { annotationLines } from './pdf-annotations.ts'

it('gives what is filled in and written, once, and no password', () => {
  const field = { subtype: 'Widget', fieldType: 'Tx' }
  const button = { ...field, fieldType: 'Btn', fieldName: 'berth' }
  expect(
    annotationLines([
      { ...field, fieldName: 'vessel', fieldValue: 'Aurelia' },
      { ...field, fieldName: 'vessel', fieldValue: 'Aurelia' },
      { ...field, fieldName: 'cargo', fieldValue: ['salt', 'rye'] },
      { ...field, fieldName: 'empty', fieldValue: '' },
      { ...field, fieldName: 'key', fieldValue: 'secret', password: true },
      { ...button, radioButton: true, fieldValue: 'north', buttonValue: 'north' },
      { ...button, radioButton: true, fieldValue: 'north', buttonValue: 'south' },
      { ...button, fieldName: 'pilot', checkBox: true, fieldValue: 'Off', exportValue: 'Yes' },
      { subtype: 'Link', contentsObj: { str: 'https://example.org' } },
      { subtype: 'Highlight', contentsObj: { str: 'Out of\n order.' }, titleObj: { str: 'Tomas' } },
      { subtype: 'Text', contentsObj: undefined },
    ]),
  ).toEqual([
    '[field vessel] Aurelia',
    '[field cargo] salt, rye',
    '[field berth] north',
    '[comment] Tomas: Out of order.',
  ])
})

it('a page whose fonts do not tell their letters is no text, and alone it is as good as a scan', async () => {
  // Glyphs of a TrueType font, numbered as usual: a space is 3, A is 36.
  const glyphs = (text: string) =>
    [...text].map((sign) => (sign.charCodeAt(0) - 29).toString(16).padStart(4, '0')).join('')
  const page = (contents: number, font: number) =>
    `<</Type/Page/Parent 2 0 R/MediaBox[0 0 999 99]/Contents ${contents} 0 R/Resources<</Font<</F1 ${font} 0 R>>>>>>`
  const stream = (content: string) => `<</Length ${content.length}>>\nstream\n${content}\nendstream`
  const show = (text: string) => stream(`BT /F1 12 Tf 10 50 Td ${text} Tj ET`)
  const fileOf = (...kids: string[]) =>
    Uint8Array.from(
      pdfOf(
        '<</Type/Catalog/Pages 2 0 R>>',
        `<</Type/Pages/Kids[${kids.join(' ')}]/Count ${kids.length}>>`,
        page(5, 7),
        page(6, 8),
        show(`<${glyphs('The code of gate 4 is 4821.')}>`),
        show('(The quay is new.)'),
        '<</Type/Font/Subtype/Type0/BaseFont/A/Encoding/Identity-H/DescendantFonts[9 0 R]>>',
        '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
        '<</Type/Font/Subtype/CIDFontType2/BaseFont/A/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>/FontDescriptor 10 0 R/DW 500>>',
        '<</Type/FontDescriptor/FontName/A/Flags 4/FontBBox[0 0 9 9]/ItalicAngle 0/Ascent 9/Descent 0/CapHeight 7/StemV 8>>',
      ),
    )
  const parts: Parsed[] = []
  for await (const part of parsePdf(fileOf('3 0 R', '4 0 R'))) parts.push(part)
  expect(parts).toEqual([
    { text: 'The quay is new.\n', position: { page: 2 } },
    {
      warning: 'the fonts on page 1 do not tell which letters they show, which needs text recognition (OCR)',
    },
  ])
  await expect(parsePdf(fileOf('3 0 R'))[Symbol.asyncIterator]().next()).rejects.toMatchObject({
    kind: 'no-text',
    message: 'its fonts do not tell which letters they show',
  })
})

it('a comment on a scanned page is read, and the page is still called a scan', async () => {
  const bytes = pdfOf(
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 99 99]/Annots[4 0 R]>>',
    '<</Type/Annot/Subtype/Text/Rect[1 1 9 9]/Contents(Rescan this.)>>',
  )
  const parts: Parsed[] = []
  for await (const part of parsePdf(Uint8Array.from(bytes))) parts.push(part)
  expect(parts).toEqual([
    { text: '[comment] Rescan this.\n', position: { page: 1 } },
    { warning: 'no text on page 1: blank, or a scan that needs text recognition (OCR)' },
  ])
})
