import { expect, it } from 'vitest'
import { parsedOf, run, textWith } from '../testing/docx-of.ts'

it('marks what a character style strikes out, or one that it is based on, unless the text itself is not struck', async () => {
  const style = (id: string, rest: string) =>
    `<w:style w:type="character" w:styleId="${id}">${rest}</w:style>`
  const strike = '<w:rPr><w:strike/><w:dstrike w:val="0"/></w:rPr>'
  const based = '<w:basedOn w:val="Gone"/>'
  const content = `<w:styles>${style('Gone', strike)}${style('Gone2', based)}${style('Back', `${based}<w:rPr><w:strike w:val="0"/></w:rPr>`)}</w:styles>`
  const styled = (id: string, text: string, more = '') =>
    `<w:rPr><w:rStyle w:val="${id}"/>${more}</w:rPr><w:t>${text}</w:t>`
  const body = run(
    styled('Gone', '12'),
    ' 13 ',
    styled('Gone2', '14'),
    styled('Back', ' 15 '),
    styled('Gone', '16', '<w:strike w:val="0"/>'),
  )
  expect(await textWith(body, { type: 'styles', name: 'styles.xml', content })).toBe(
    '~~12~~ 13 ~~14~~ 15 16\n',
  )
})

it('takes the two ways to strike text out each by itself, and the properties of a run in any order', async () => {
  const style = (id: string, rest: string) =>
    `<w:style w:type="character" w:styleId="${id}">${rest}</w:style>`
  const double = '<w:rPr><w:dstrike/></w:rPr>'
  const notDouble = '<w:rPr><w:dstrike w:val="0"/></w:rPr>'
  const content = `<w:styles>${style('Single', '<w:rPr><w:strike/></w:rPr>')}${style('Double', double)}${style('Still', `<w:basedOn w:val="Single"/>${notDouble}`)}</w:styles>`
  const body = run(
    '<w:rPr><w:rStyle w:val="Double"/><w:dstrike w:val="0"/></w:rPr><w:t>12 </w:t>',
    '<w:rPr><w:rStyle w:val="Still"/></w:rPr><w:t>13</w:t>',
    '<w:t> 14 </w:t>',
    '<w:rPr><w:strike/><w:rStyle w:val="Other"/></w:rPr><w:t>15</w:t>',
  )
  expect(await textWith(body, { type: 'styles', name: 'styles.xml', content })).toBe('12 ~~13~~ 14 ~~15~~\n')
})

it('has no heading where an outline level says text, though the style be based on that of a heading', async () => {
  const style = (id: string, name: string, rest: string) =>
    `<w:style w:styleId="${id}"><w:name w:val="${name}"/>${rest}</w:style>`
  const level = (at: number) => `<w:outlineLvl w:val="${at}"/>`
  const based = '<w:basedOn w:val="H"/>'
  const content = `<w:styles>${style('H', 'heading 1', '')}${style('T', 'Clause', based + level(9))}${style('T2', 'Sub', '<w:basedOn w:val="T"/>')}${style('S', 'Part', based + level(1))}</w:styles>`
  const paragraph = (id: string, text: string, more = '') =>
    `<w:pPr><w:pStyle w:val="${id}"/>${more}</w:pPr>${run(text)}`
  const body = [
    paragraph('H', 'One'),
    paragraph('T', 'a'),
    paragraph('T2', 'b'),
    paragraph('H', 'c', level(9)),
    paragraph('S', 'Two'),
    paragraph('T', 'Three', level(2)),
  ]
  const parsed = await parsedOf(body.join('</w:p><w:p>'), { type: 'styles', name: 'styles.xml', content })
  expect(
    parsed.map((part) => 'text' in part && [part.text.trim(), part.position?.headings?.join('/')]),
  ).toEqual([
    ['One', 'One'],
    ['a', 'One'],
    ['b', 'One'],
    ['c', 'One'],
    ['Two', 'One/Two'],
    ['Three', 'One/Two/Three'],
  ])
})
