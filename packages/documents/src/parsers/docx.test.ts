import { expect, it } from 'vitest'
import { defaultLimits } from '../limits.ts'
import { zipOf } from '../testing/zip-of.ts'
import { parseOffice } from './office.ts'

const relation = (id: number, type: string, target: string) =>
  `<Relationship Id="${id}" Type="x/${type}" Target="${target}"/>`
const run = (...content: string[]) =>
  content.map((one) => `<w:r>${one.startsWith('<') ? one : `<w:t>${one}</w:t>`}</w:r>`).join('')

async function textOf(body: string, footnote = ''): Promise<string> {
  const file = zipOf([
    { name: '[Content_Types].xml', content: '<Types/>' },
    {
      name: '_rels/.rels',
      content: `<Relationships>${relation(1, 'officeDocument', 'word/document.xml')}</Relationships>`,
    },
    {
      name: 'word/_rels/document.xml.rels',
      content: `<Relationships>${relation(1, 'footnotes', 'footnotes.xml')}</Relationships>`,
    },
    { name: 'word/document.xml', content: `<w:document><w:body><w:p>${body}</w:p></w:body></w:document>` },
    {
      name: 'word/footnotes.xml',
      content: `<w:footnotes><w:footnote w:id="1"><w:p>${footnote}</w:p></w:footnote></w:footnotes>`,
    },
  ])
  let text = ''
  for await (const part of parseOffice(file, defaultLimits)) if ('text' in part) text += part.text
  return text
}

it('keeps words and numbers apart that a tab, a break or a hyphen stands between, in notes too', async () => {
  const signs = run(
    '1998',
    '<w:tab/>',
    '12',
    '<w:br/>',
    '5',
    '<w:ptab/>',
    '2020',
    '<w:noBreakHyphen/>',
    '2021',
  )
  expect(await textOf(signs)).toBe('1998\t12\n5\t2020\u20112021\n')
  expect(await textOf(run('a', '<w:footnoteReference w:id="1"/>'), signs)).toBe(
    'a[1]\n[1] 1998 12 5 2020\u20112021\n',
  )
})

it('has a note once whose text was moved, at the place where it is now', async () => {
  const moved = `<w:moveFrom>${run('at dawn')}</w:moveFrom>${run('Closed ')}<w:moveTo>${run('at dawn')}</w:moveTo>`
  expect(await textOf(run('a', '<w:footnoteReference w:id="1"/>'), moved)).toBe('a[1]\n[1] Closed at dawn\n')
})

it('does not make a number of a number and its power or note', async () => {
  const raised = (text: string) => `<w:rPr><w:vertAlign w:val="superscript"/></w:rPr><w:t>${text}</w:t>`
  const body = run('10', raised('6'), ' m', raised('2'), ' in 1998', raised('3'), '.')
  expect(await textOf(body)).toBe('10^6 m2 in 1998^3.\n')
  expect(await textOf(run('a', '<w:footnoteReference w:id="1"/>'), body)).toBe(
    'a[1]\n[1] 10^6 m2 in 1998^3.\n',
  )
})

it('keeps values in their column behind a cell that takes several', async () => {
  const cell = (text: string, columns = 1) =>
    `<w:tc><w:tcPr><w:gridSpan w:val="${columns}"/></w:tcPr><w:p>${run(text)}</w:p></w:tc>`
  const row = (...cells: string[]) => `<w:tr>${cells.join('')}</w:tr>`
  const table = `<w:tbl>${row(cell('Spring', 2), cell('Fall'))}${row(cell('1'), cell('2'), cell('3'))}</w:tbl>`
  expect(await textOf(`</w:p>${table}<w:p>`)).toBe('Spring\t\tFall\n1\t2\t3\n')
})

it('goes by what the formatting is now, not by what a tracked change made of it', async () => {
  const former = '<w:rPrChange><w:rPr><w:vertAlign w:val="superscript"/></w:rPr></w:rPrChange>'
  expect(await textOf(run('10', `<w:rPr>${former}</w:rPr><w:t>6</w:t>`))).toBe('106\n')
  const spanned = '<w:tcPrChange><w:tcPr><w:gridSpan w:val="3"/></w:tcPr></w:tcPrChange>'
  const cell = (text: string) => `<w:tc><w:tcPr>${spanned}</w:tcPr><w:p>${run(text)}</w:p></w:tc>`
  expect(await textOf(`</w:p><w:tbl><w:tr>${cell('a')}${cell('b')}</w:tr></w:tbl><w:p>`)).toBe('a\tb\n')
})

it('has formulas in one line that says what they say', async () => {
  const sign = (text: string) => `<m:r><w:rPr/><m:t>${text}</m:t></m:r>`
  const part = (name: string, ...content: string[]) => `<m:${name}>${content.join('')}</m:${name}>`
  const formula = (...content: string[]) => part('oMath', ...content)
  const power = part('sSup', part('sSupPr'), part('e', sign('10')), part('sup', sign('\u22126')))
  const half = part(
    'f',
    part('fPr', '<m:ctrlPr><w:rPr/></m:ctrlPr>'),
    part('num', sign('1')),
    part('den', sign('2')),
  )
  const sum = part(
    'nary',
    '<m:naryPr><m:chr m:val="\u03a3"/></m:naryPr>',
    ...[
      part('sub', sign('i=1')),
      part('sup', sign('10')),
      part('e', part('rad', part('deg'), part('e', sign('2i')))),
    ],
  )
  const choice = part(
    'd',
    '<m:dPr/>',
    part(
      'e',
      part('f', '<m:fPr><m:type m:val="noBar"/></m:fPr>', part('num', sign('n')), part('den', sign('k'))),
    ),
  )
  const body = `${run('Share ')}${formula(half)}${run(' of ')}${formula(power)}${run(', ')}${formula(sum)}${run(', ')}${formula(choice, part('sSub', part('e', sign('x')), part('sub', sign('max'))))}`
  // As the package has it: in UTF-8.
  expect(await textOf(Buffer.from(body).toString('latin1'))).toBe(
    'Share 1/2 of 10^\u22126, \u03a3_(i=1)^10 \u221a(2i), (n over k)x_(max)\n',
  )
})

it('has the signs of fonts of signs', async () => {
  const sign = (font: string, char: string) => `<w:sym w:font="${font}" w:char="${char}"/>`
  const body = run('load ', sign('Symbol', 'F0A3'), ' 5 ', sign('Wingdings', 'F0FC'), sign('Arial', '00BD'))
  expect(await textOf(body)).toBe('load ≤ 5 ✓½\n')
})
