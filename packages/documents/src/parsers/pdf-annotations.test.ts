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
