import { expect, it } from 'vitest'
import { defaultLimits } from '../limits.ts'
import { zipOf } from '../testing/zip-of.ts'
import { parseOffice } from './office.ts'
import { parseOpenDocument } from './opendocument.ts'
import type { Parsed } from './parser.ts'

const relationship = (type: string, target: string) =>
  `<Relationships><Relationship Id="1" Type="x/${type}" Target="${target}"/></Relationships>`
const comment = (cell: string, text: string) => `<comment ref="${cell}"><text><t>${text}</t></text></comment>`

async function all(parts: AsyncIterable<Parsed>): Promise<readonly Parsed[]> {
  const found: Parsed[] = []
  for await (const part of parts) found.push(part)
  return found
}

it('has comments on cells that are empty, and on rows that are not there', async () => {
  const file = zipOf([
    { name: '[Content_Types].xml', content: '<Types/>' },
    { name: '_rels/.rels', content: relationship('officeDocument', 'xl/workbook.xml') },
    {
      name: 'xl/workbook.xml',
      content: '<workbook><sheets><sheet name="S" r:id="1"/></sheets></workbook>',
    },
    { name: 'xl/_rels/workbook.xml.rels', content: relationship('worksheet', 'sheet1.xml') },
    {
      name: 'xl/sheet1.xml',
      content: '<worksheet><sheetData><row r="1"><c r="A1"><v>1</v></c></row></sheetData></worksheet>',
    },
    { name: 'xl/_rels/sheet1.xml.rels', content: relationship('comments', 'comments1.xml') },
    {
      name: 'xl/comments1.xml',
      content: `<comments>${comment('A1', 'one')}${comment('C1', 'two')}${comment('B7', 'three')}</comments>`,
    },
  ])
  expect(await all(parseOffice(file, defaultLimits))).toEqual([
    { text: '1\n[comment on A1] one\n[comment on C1] two\n', position: { sheet: 'S', row: 1 } },
    { text: '[comment on B7] three\n', position: { sheet: 'S', row: 7 } },
  ])
})

it('has dates of ODS as days, however they are shown', async () => {
  const cell = (date: string, shown: string) =>
    `<t:table-cell o:date-value="${date}"><x:p>${shown}</x:p></t:table-cell>`
  const cells = cell('1923-04-17', '17/04/23') + cell('1923-04-17T06:15:00', '17 April')
  const table = `<t:table t:name="S"><t:table-row>${cells}</t:table-row></t:table>`
  const content = `<o:document-content><o:body><o:spreadsheet>${table}</o:spreadsheet></o:body></o:document-content>`
  const file = zipOf([{ name: 'content.xml', content }])
  expect(await all(parseOpenDocument(file, defaultLimits))).toEqual([
    { text: '1923-04-17\t1923-04-17 06:15:00\n', position: { sheet: 'S', row: 1 } },
  ])
})
