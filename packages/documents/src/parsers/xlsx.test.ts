import { expect, it } from 'vitest'
import { defaultLimits } from '../limits.ts'
import { type ZippedFile, zipOf } from '../testing/zip-of.ts'
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

/** A workbook of one sheet. */
const workbookOf = (rows: string, ...parts: readonly ZippedFile[]) =>
  zipOf([
    { name: '[Content_Types].xml', content: '<Types/>' },
    { name: '_rels/.rels', content: relationship('officeDocument', 'xl/workbook.xml') },
    {
      name: 'xl/workbook.xml',
      content: '<workbook><sheets><sheet name="S" r:id="1"/></sheets></workbook>',
    },
    { name: 'xl/_rels/workbook.xml.rels', content: relationship('worksheet', 'sheet1.xml') },
    { name: 'xl/sheet1.xml', content: `<worksheet><sheetData>${rows}</sheetData></worksheet>` },
    ...parts,
  ])
const textOf = async (file: Uint8Array) =>
  (await all(parseOffice(file, defaultLimits))).map((part) => ('text' in part ? part.text : '')).join('')
const workbookOfTables = (rows: string) =>
  zipOf([
    {
      name: 'content.xml',
      content: `<o:document-content><o:body><o:spreadsheet><t:table t:name="S">${rows}</t:table></o:spreadsheet></o:body></o:document-content>`,
    },
  ])

it('has comments on cells that are empty, and on rows that are not there', async () => {
  const file = workbookOf(
    '<row r="1"><c r="A1"><v>1</v></c></row>',
    { name: 'xl/_rels/sheet1.xml.rels', content: relationship('comments', 'comments1.xml') },
    {
      name: 'xl/comments1.xml',
      content: `<comments>${comment('A1', 'one')}${comment('C1', 'two')}${comment('B7', 'three')}</comments>`,
    },
  )
  expect(await all(parseOffice(file, defaultLimits))).toEqual([
    { text: '1\n[comment on A1] one\n[comment on C1] two\n', position: { sheet: 'S', row: 1 } },
    { text: '[comment on B7] three\n', position: { sheet: 'S', row: 7 } },
  ])
})

it('shows no formula for empty text that was computed, and has cells without a value and signs that XML does not keep', async () => {
  const cells = [
    '<c r="A1" t="str"><f>IF(B1="paid","","OVERDUE")</f><v></v></c>',
    '<c r="B1" t="inlineStr"><is><t>paid_x000D_\nlate_x0000_, _x005F_x000D_</t></is></c>',
    '<c r="C1" t="s"/>',
    '<c r="D1"><f>A1+1</f></c>',
  ]
  expect(await textOf(workbookOf(`<row r="1">${cells.join('')}</row>`))).toBe(
    '\tpaid late, _x000D_\t\t=A1+1\n',
  )
})

it('keeps values of sheets in their column behind many empty cells, and names the column behind very many', async () => {
  const rows =
    '<row r="1"><c r="A1"><v>1</v></c><c r="AI1"><v>9</v></c></row><row r="2"><c r="XFD2"><v>7</v></c><c r="XFD2"><v>8</v></c></row>'
  expect(await textOf(workbookOf(rows))).toBe(`1${'\t'.repeat(34)}9\n[XFD] 7\t8\n`)
  const cell = (text: string) => `<t:table-cell><x:p>${text}</x:p></t:table-cell>`
  const empty = (count: number) => `<t:table-cell t:number-columns-repeated="${count}"/>`
  const file = workbookOfTables(
    `<t:table-row>${cell('1')}${empty(33)}${cell('9')}${empty(992)}${cell('8')}</t:table-row>`,
  )
  expect(await all(parseOpenDocument(file, defaultLimits))).toEqual([
    { text: `1${'\t'.repeat(34)}9\t[AMN] 8\n`, position: { sheet: 'S', row: 1 } },
  ])
})

it('has dates of ODS as days, however they are shown', async () => {
  const cell = (date: string, shown: string) =>
    `<t:table-cell o:date-value="${date}"><x:p>${shown}</x:p></t:table-cell>`
  const cells = cell('1923-04-17', '17/04/23') + cell('1923-04-17T06:15:00', '17 April')
  const file = workbookOfTables(`<t:table-row>${cells}</t:table-row>`)
  expect(await all(parseOpenDocument(file, defaultLimits))).toEqual([
    { text: '1923-04-17\t1923-04-17 06:15:00\n', position: { sheet: 'S', row: 1 } },
  ])
})

it('has the values of cells of ODS that have no text beside them', async () => {
  const cell = (attributes: string, shown = '') => `<t:table-cell ${attributes}>${shown}</t:table-cell>`
  const cells = [
    cell('o:value-type="float" o:value="3"'),
    cell('o:value-type="percentage" o:value="0.07"'),
    cell('o:value-type="time" o:time-value="PT12H30M00S"'),
    cell('o:value-type="boolean" o:boolean-value="true"'),
    cell('o:value-type="string" o:string-value="salt"'),
    cell('o:value-type="float" o:value="4"', '<x:p/>'),
  ]
  const file = workbookOfTables(`<t:table-row>${cells.join('')}</t:table-row>`)
  expect(await all(parseOpenDocument(file, defaultLimits))).toEqual([
    { text: '3\t7%\t12:30:00\tTRUE\tsalt\n', position: { sheet: 'S', row: 1 } },
  ])
})

it('marks what is struck out in cells and in parts of their text', async () => {
  const styles = `<styleSheet><fonts><font/><font><strike/></font><font><strike val="0"/></font></fonts>
    <cellStyleXfs><xf fontId="1"/></cellStyleXfs>
    <cellXfs><xf/><xf fontId="1" numFmtId="9"/><xf fontId="2"/></cellXfs></styleSheet>`
  const strings =
    '<sst><si><r><rPr><strike/></rPr><t>May</t></r><r><t> June</t></r></si><si><t> </t></si><si><r><t>12</t></r><r><rPr><b/></rPr><t> days</t></r></si></sst>'
  const file = workbookOf(
    `<row r="1"><c r="A1" s="1"><v>0.12</v></c><c r="B1" s="2"><v>15</v></c><c r="C1" t="s"><v>0</v></c><c r="D1" s="1" t="s"><v>1</v></c><c r="E1" s="1" t="s"><v>2</v></c></row>`,
    {
      name: 'xl/_rels/workbook.xml.rels',
      content: `<Relationships>${['worksheet sheet1', 'styles styles', 'sharedStrings strings']
        .map((one, i) => {
          const [type, name] = one.split(' ')
          return `<Relationship Id="${i + 1}" Type="x/${type}" Target="${name}.xml"/>`
        })
        .join('')}</Relationships>`,
    },
    { name: 'xl/styles.xml', content: styles },
    { name: 'xl/strings.xml', content: strings },
  )
  expect(await textOf(file)).toBe('~~12%~~\t15\t~~May~~ June\t\t12 days\n')
  const table = zipOf([
    {
      name: 'content.xml',
      content: `<o:document-content><o:automatic-styles><s:style s:name="c1"><s:text-properties s:text-line-through-style="solid"/></s:style></o:automatic-styles><o:body><o:spreadsheet><t:table t:name="S"><t:table-row><t:table-cell t:style-name="c1"><x:p>12</x:p></t:table-cell><t:table-cell t:style-name="c2"><x:p>15</x:p></t:table-cell></t:table-row></t:table></o:spreadsheet></o:body></o:document-content>`,
    },
  ])
  expect(await all(parseOpenDocument(table, defaultLimits))).toEqual([
    { text: '~~12~~\t15\n', position: { sheet: 'S', row: 1 } },
  ])
})
