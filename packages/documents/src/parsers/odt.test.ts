import { expect, it } from 'vitest'
import { defaultLimits } from '../limits.ts'
import { type ZippedFile, zipOf } from '../testing/zip-of.ts'
import { parseOpenDocument } from './opendocument.ts'

async function textOf(body: string, ...parts: readonly ZippedFile[]): Promise<string> {
  const content = `<office:document-content><office:body><office:text>${body}</office:text></office:body></office:document-content>`
  let text = ''
  for await (const part of parseOpenDocument(
    zipOf([{ name: 'content.xml', content }, ...parts]),
    defaultLimits,
  )) {
    if ('text' in part) text += part.text
  }
  return text
}

it('keeps values in their column behind a cell that takes several columns or rows', async () => {
  const cell = (text: string, spans = '') =>
    `<table:table-cell ${spans}><text:p>${text}</text:p></table:table-cell>`
  const covered = '<table:covered-table-cell/>'
  const row = (...cells: string[]) => `<table:table-row>${cells.join('')}</table:table-row>`
  const table = [
    row(
      cell('Town', 'table:number-rows-spanned="2"'),
      cell('Spring', 'table:number-columns-spanned="2"'),
      covered,
      cell('Fall'),
    ),
    row(covered, cell('Jan'), cell('Feb'), cell('Sep')),
  ]
  const repeated = '<table:covered-table-cell table:number-columns-repeated="2"/>'
  expect(await textOf(`<table:table>${row(cell('a'), repeated, cell('b'))}</table:table>`)).toBe('a\t\t\tb\n')
  expect(await textOf(`<table:table>${table.join('')}</table:table>`)).toBe(
    'Town\tSpring\t\tFall\n\tJan\tFeb\tSep\n',
  )
})

it('has formulas, which are parts of their own, in one line, and leaves other objects out', async () => {
  const object = (name: string) =>
    `<draw:frame><draw:object xlink:href="./${name}"/><svg:title>${name}</svg:title></draw:frame>`
  const fraction = '<mfrac><mrow><mi>a</mi><mo>+</mo><mi>b</mi></mrow><mn>12</mn></mfrac>'
  const math = `<math><semantics>${fraction}<annotation>{a+b} over 12</annotation></semantics></math>`
  const text = await textOf(
    `<text:p>It is ${object('Object 1')} or ${object('Object 2')}.</text:p>`,
    { name: 'Object 1/content.xml', content: math },
    { name: 'Object 2/content.xml', content: '<office:document-content>x</office:document-content>' },
  )
  expect(text).toBe('It is (a + b)/12 or Object 2.\n')
  const half = '<math><mfrac><mn>1</mn><mn>2</mn></mfrac></math>'
  expect(
    await textOf(`<text:p>half 1${object('Object 1')}5</text:p>`, {
      name: 'Object 1/content.xml',
      content: half,
    }),
  ).toBe('half 1 1/2 5\n')
  const broken = { name: 'Object 3/content.xml', content: '<math><mi>x</mi>' }
  expect(await textOf(`<text:p>c ${object('Object 3')} tail</text:p>`, broken)).toContain('c Object 3 tail\n')
})

it('has annotations behind the words that they are beside', async () => {
  const ruby =
    '<text:ruby><text:ruby-base>KANJI</text:ruby-base><text:ruby-text>kanji</text:ruby-text></text:ruby>'
  expect(await textOf(`<text:p>no ${ruby}.</text:p>`)).toBe('no KANJI(kanji).\n')
})

it('marks what is struck out in spans and paragraphs, and nothing behind', async () => {
  const style = (name: string, properties: string) =>
    `<style:style style:name="${name}"><style:text-properties ${properties}/></style:style>`
  const styles =
    style('T1', 'style:text-line-through-style="solid"') +
    style('T2', 'style:text-line-through-style="none" style:text-line-through-type="none"') +
    style('P1', 'style:text-line-through-type="double"')
  const span = (name: string, text: string) => `<text:span text:style-name="${name}">${text}</text:span>`
  const body = `<text:p>Pay ${span('T1', `500${span('T2', ' EUR')}`)} ${span('T2', '700')} EUR.</text:p><text:p text:style-name="P1">Gone.</text:p><text:p>Kept.</text:p>`
  const content = `<office:document-content><office:automatic-styles>${styles}</office:automatic-styles><office:body><office:text>${body}</office:text></office:body></office:document-content>`
  let text = ''
  for await (const part of parseOpenDocument(zipOf([{ name: 'content.xml', content }]), defaultLimits))
    if ('text' in part) text += part.text
  expect(text).toBe('Pay ~~500 EUR~~ 700 EUR.\n~~Gone.~~\nKept.\n')
})

it('has a picture as its description, inside a paragraph or beside it', async () => {
  const frame = '<draw:frame><draw:image/><svg:desc>A map\nof Velm</svg:desc></draw:frame>'
  expect(await textOf(`<text:p>See${frame}there.</text:p>${frame}<text:p>End</text:p>`)).toBe(
    'See [picture: A map of Velm] there.\n[picture: A map of Velm]\nEnd\n',
  )
})

it('has a chart as its titles and its table', async () => {
  const cell = (text: string) => `<table:table-cell><text:p>${text}</text:p></table:table-cell>`
  const row = (...cells: string[]) => `<table:table-row>${cells.map(cell).join('')}</table:table-row>`
  const missing = row('Q2', 'NaN').replace(
    /<table:table-cell>(?=<text:p>NaN)/,
    '<table:table-cell office:value="NaN">',
  )
  const range = '<draw:g><svg:desc>Sheet1.B1:B2</svg:desc></draw:g>'
  const chart = `<chart:chart><chart:title><text:p>Tolls</text:p></chart:title>\n <table:table>${row('', 'Gate')}${row('Q1', '10')}${missing}${range}</table:table></chart:chart>`
  const content = `<office:document-content><office:body><office:chart>${chart}</office:chart></office:body></office:document-content>`
  const frame = '<draw:frame><draw:object xlink:href="./Object 1"/></draw:frame>'
  expect(
    await textOf(`<text:p>Above.${frame} Below.</text:p>`, { name: 'Object 1/content.xml', content }),
  ).toBe('[chart]\nTolls\n\tGate\nQ1\t10\nQ2\nAbove. Below.\n')
})
