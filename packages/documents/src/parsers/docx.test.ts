import { expect, it } from 'vitest'
import { parsedOf, run, textWith } from '../testing/docx-of.ts'

const textOf = (body: string, footnote = '') =>
  textWith(body, {
    type: 'footnotes',
    name: 'footnotes.xml',
    content: `<w:footnotes><w:footnote w:id="1"><w:p>${footnote}</w:p></w:footnote></w:footnotes>`,
  })

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
  // UTF-8 bytes, as in the package.
  expect(await textOf(Buffer.from(body).toString('latin1'))).toBe(
    'Share 1/2 of 10^\u22126, \u03a3_(i=1)^10 \u221a(2i), (n over k)x_(max)\n',
  )
})

it('has what stands in and beside formulas apart from their numbers', async () => {
  const sign = (text: string) => `<m:r><m:t>${text}</m:t></m:r>`
  const formula = (...content: string[]) => `<m:oMath>${content.join('')}</m:oMath>`
  const half = `<m:f><m:num>${sign('1')}</m:num><m:den>${sign('2')}</m:den></m:f>`
  const power = (base: string, raised: string) =>
    `<m:sSup><m:e>${base}</m:e><m:sup>${raised}</m:sup></m:sSup>`
  expect(await textOf(`${run('takes 2')}${formula(half)}${run('days')}`)).toBe('takes 2 1/2 days\n')
  expect(
    await textOf(formula(sign('2'), half, half, sign('+'), power(sign('2'), sign('10')), sign('3'))),
  ).toBe('2 1/2 1/2+2^10 3\n')
  expect(
    await textOf(formula(power(half, sign('n')), sign('+'), power(power(sign('x'), sign('2')), sign('3')))),
  ).toBe('(1/2)^n+(x^2)^3\n')
  expect(await textOf(formula(power(sign('(a)+(b)'), sign('2')), power(sign('(a+b)'), sign('2'))))).toBe(
    '((a)+(b))^2(a+b)^2\n',
  )
  const lines = formula(sign('a=b'), '<m:r><w:br/></m:r>') + formula(sign('c=1'))
  expect(await textOf(`<m:oMathPara>${lines}</m:oMathPara>`)).toBe('a=b\nc=1\n')
  const symbol = '<m:r><w:sym w:font="Symbol" w:char="F0B3"/></m:r>'
  const note = '<w:r><w:footnoteReference w:id="1"/></w:r>'
  const body = formula(sign('x'), symbol, sign('5'), note) + run(' kg')
  const footnote = `<w:footnotes><w:footnote w:id="1"><w:p>${run('the note')}</w:p></w:footnote></w:footnotes>`
  expect(await textWith(`${body}`, { type: 'footnotes', name: 'footnotes.xml', content: footnote })).toBe(
    'x\u22655[1] kg\n[1] the note\n',
  )
})

it('has the signs of fonts of signs', async () => {
  const sign = (font: string, char: string) => `<w:sym w:font="${font}" w:char="${char}"/>`
  const body = run('load ', sign('Symbol', 'F0A3'), ' 5 ', sign('Wingdings', 'F0FC'), sign('Arial', '00BD'))
  expect(await textOf(body)).toBe('load ≤ 5 ✓½\n')
})

it('keeps a row that begins in a later column there', async () => {
  const cell = (text: string) => `<w:tc><w:p>${run(text)}</w:p></w:tc>`
  const begins =
    '<w:trPr><w:gridBefore w:val="2"/><w:trPrChange><w:trPr><w:gridBefore w:val="1"/></w:trPr></w:trPrChange></w:trPr>'
  const rows = `<w:tr>${cell('a')}${cell('b')}${cell('c')}</w:tr><w:tr>${begins}${cell('7')}</w:tr>`
  expect(await textOf(`</w:p><w:tbl>${rows}</w:tbl><w:p>`)).toBe('a\tb\tc\n\t\t7\n')
})

it('has parts in HTML, RTF and plain text and diagrams where they are, and tells of other parts', async () => {
  const chunk = (name: string, content: string) => ({ type: 'aFChunk', name, content })
  const parts = [
    chunk('a.html', '<html><h1>Keys</h1><meta charset="windows-1250"><table><tr><td>\xbfaba<td>4711</table>'),
    chunk('b.rtf', "{\\rtf1 caf\\'e9\\par}"),
    chunk('c.txt', '\xff\xfe' + 'd\0u\0s\0k\0'),
    chunk('d.mht', 'MIME-Version: 1.0'),
    {
      type: 'diagramData',
      name: 'data.xml',
      content:
        '<dgm:dataModel><dgm:pt><dgm:t><a:p><a:r><a:t>Chair</a:t></a:r></a:p></dgm:t></dgm:pt></dgm:dataModel>',
    },
  ]
  const chunks = [1, 2, 3, 4].map((id) => `<w:altChunk r:id="${id}"/>`).join('')
  const diagram = run('<w:drawing><dgm:relIds r:dm="5"/></w:drawing>')
  const parsed = await parsedOf(`${run('Before.')}</w:p>${chunks}<w:p>${diagram}${run('After.')}`, ...parts)
  expect(parsed.map((part) => ('text' in part ? part.text : part.warning))).toEqual([
    ...['Before.\n', 'Keys\n', 'żaba\t4711\n', 'café\n', 'dusk\n'],
    'a part of it, word/d.mht, is not read',
    ...['Chair\n', 'After.\n'],
  ])
})

it('names a part that cannot be read, and reads the rest of the document', async () => {
  const parts = [
    { type: 'aFChunk', name: 'a.rtf', content: '{\\rtf1 hello {' },
    { type: 'aFChunk', name: 'b.html', content: 'MIME-Version: 1.0\n\n=3Cp=3E' },
  ]
  const parsed = await parsedOf(
    `${run('Before')}</w:p><w:altChunk r:id="1"/><w:altChunk r:id="2"/><w:p>${run('after')}`,
    ...parts,
  )
  expect(parsed.flatMap((part) => ('warning' in part ? part.warning : []))).toEqual([
    'a part of it, word/a.rtf, is not read',
    'a part of it, word/b.html, is not read',
  ])
  expect(parsed.map((part) => ('text' in part ? part.text : '')).join('')).toMatch(
    /^Before\n(?:.*\n)*after\n$/,
  )
})

it('keeps the text of a box whose last paragraph goes on with nothing inside the box', async () => {
  const deleted = '<w:pPr><w:rPr><w:del w:id="9"/></w:rPr></w:pPr>'
  const box = `<w:r><w:txbxContent><w:p>${deleted}${run('in the box')}</w:p></w:txbxContent></w:r>`
  expect(await textOf(`${box}${run('around it')}</w:p><w:p>${run('next')}`)).toBe(
    'in the box\naround it\nnext\n',
  )
})

it('has annotations behind the words that they are beside', async () => {
  const text = (one: string) => `<w:r><w:t>${one}</w:t></w:r>`
  const ruby = `<w:ruby><w:rubyPr/><w:rt>${text('kanji')}</w:rt><w:rubyBase>${text('KAN')}${text('JI')}</w:rubyBase></w:ruby>`
  expect(await textOf(run('no ', ruby, '.'))).toBe('no KANJI(kanji).\n')
})

it('marks what is struck out, in each paragraph and cell, and no space alone', async () => {
  const struck = (text: string, how = 'strike') => `<w:rPr><w:${how}/></w:rPr><w:t>${text}</w:t>`
  const off = '<w:rPr><w:strike w:val="0"/></w:rPr><w:t> days</w:t>'
  const cell = (text: string) => `<w:tc><w:p>${run(struck(text))}</w:p></w:tc>`
  const mark = '<w:pPr><w:rPr><w:strike/></w:rPr></w:pPr>'
  expect(
    await textOf(
      `${mark}${run('Within ', struck('1'), struck('2', 'dstrike'), struck(' '), '15', struck(' '), off)}</w:p><w:tbl><w:tr>${cell('a')}${cell('b')}</w:tr></w:tbl><w:p>`,
    ),
  ).toBe('Within ~~12 ~~15  days\n~~a~~\t~~b~~\n')
})

it('has the pictures of a group as their descriptions, and one alone once', async () => {
  const picture = (descr: string) => `<pic:pic><pic:cNvPr descr="${descr}"/></pic:pic>`
  const drawing = (descr: string, content: string) =>
    `<w:drawing><wp:inline><wp:docPr descr="${descr}"/>${content}</wp:inline></w:drawing>`
  const group = drawing('', `<wpg:wgp>${picture('A crane')}${picture('A gate')}</wpg:wgp>`)
  expect(await textOf(run(group, drawing('A map', picture('A map'))))).toBe(
    '[picture: A crane] [picture: A gate] [picture: A map]\n',
  )
})

it('has a picture as its description', async () => {
  const drawing = (descr: string) =>
    `<w:drawing><wp:inline><wp:docPr id="1" name="a.png"${descr}/></wp:inline></w:drawing>`
  const described = drawing(' descr="A map&#10;of Velm"')
  expect(await textOf(run('<w:t>See</w:t>', described, drawing(''), '<w:t>there.</w:t>'))).toBe(
    'See [picture: A map of Velm] there.\n',
  )
})
