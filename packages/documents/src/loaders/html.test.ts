/** Visible text of HTML that is easily lost. */
import { expect, it } from 'vitest'
import { readBytes, textOf } from '../testing/read-bytes.ts'

it('elements that end at once hide nothing behind them in XHTML, and no frame does anywhere', async () => {
  const body = '<body><p>dawn</p><script src="a.js"/><h1/><p>night</p>'
  expect(textOf(await readBytes(`<html>${body}`, 'a.xhtml'))).toBe('dawn\n\nnight\n')
  expect(textOf(await readBytes(`<?xml version="1.0"?><html>${body}`, 'a.html'))).toBe('dawn\n\nnight\n')
  expect(textOf(await readBytes('<p>dawn<iframe src="x"/><p>night', 'a.html'))).toBe('dawn\n\nnight\n')
  const code = '<p>dawn<script async/>never()</script><p>night'
  expect(textOf(await readBytes(code, 'a.html'))).toBe('dawn\n\nnight\n')
})

it('html has long CDATA whole, formulas, and what follows a drawing that nothing closes', async () => {
  const long = 'The tide came in. '.repeat(20_000).trim()
  const page = `<?xml version="1.0"?><html><p><![CDATA[${long}]]></p><p>end</p>`
  expect(textOf(await readBytes(page, 'a.xhtml', { pieceBytes: 65_536 })) === `${long}\n\nend\n`).toBe(true)
  const formula = '<math><mn>42</mn><mo>&#xd7;</mo><mn>10</mn><annotation>42 \\times 10</annotation></math>'
  expect(textOf(await readBytes(`<p>It was ${formula} knots`, 'a.html'))).toBe('It was 42 × 10 knots\n')
  const foreign = '<svg><foreignObject><p>drawn</p></foreignObject></svg>'
  expect(textOf(await readBytes(`<p>A${foreign}<svg><path d="x"><p>B`, 'a.html'))).toBe('A\n\nB\n')
})

it('formulas of html say what they say, also where their elements are not closed', async () => {
  const read = async (math: string, name = 'a.html') =>
    textOf(await readBytes(`<html><p>It is ${math}`, name, { pieceBytes: 9 }))
  const power = '<msup><mrow><mo>(</mo><mn>10</mn><mo>)</mo></mrow><mn>6</mn></msup>'
  expect(await read(`<math><mfrac><mn>1</mn>${power}</mfrac></math>.`)).toBe('It is 1/(( 10 )^6).\n')
  expect(await read('<math><mfrac linethickness="0"><mi>n</mi><mi>k</mi></mfrac></math>.')).toBe(
    'It is n over k.\n',
  )
  expect(await read('10<math><msup><mi/><mn>6</mn></msup></math> kg')).toBe('It is 10^6 kg\n')
  expect(await read('<math><mroot><mi>x</mi><mn>3</mn></mroot><mo>+</mo><msqrt><mn>2</mn><p>end')).toBe(
    'It is x^(1/3) + \u221a2\n\nend\n',
  )
  const named =
    '<m:math><m:munderover><m:mo>\u2211</m:mo><m:mn>1</m:mn><m:mn>9</m:mn></m:munderover></m:math></p></html>'
  expect(await read(named, 'a.xhtml')).toBe('It is \u2211_1^9\n')
  const deep = `<math>${'<mrow>'.repeat(1000)}<mn>1</mn>${'</mrow>'.repeat(1000)}<mn>2</mn></math>`
  expect(await read(deep)).toBe('It is 1 2\n')
})

it('formulas of html lose and cut nothing, whatever their elements hold', async () => {
  const read = async (page: string) =>
    textOf(await readBytes(`<html><p>${page}`, 'a.html', { pieceBytes: 7 }))
  expect(await read('<math><mtext>Gr&ouml;&szlig;e</mtext><mo>=</mo><mn>1234567</mn></math>')).toBe(
    'Gr\u00f6\u00dfe = 1234567\n',
  )
  expect(await read('<math><mi>R&amp;D</mi></math>')).toBe('R&D\n')
  expect(await read('Let <math><msup><mi>x</mi><mn>2</mn> be. The <b>end</b> is <i>near</i>.<p>b')).toBe(
    'Let x 2 be. The end is near .\n\nb\n',
  )
  expect(await read('<math><msup><mi>x</mi><mn>2</mn><mn>3</mn></msup></math>')).toBe('x 2 3\n')
  expect(await read('10<math><msup><mrow/><mn>6</mn></msup></math>kg')).toBe('10^6 kg\n')
  expect(await read('<math><msubsup><mrow/><mn>6</mn><mn>14</mn></msubsup><mi>C</mi></math>')).toBe(
    '_6^14 C\n',
  )
  expect(await read('<math><mfrac><mn>1</mn><mspace/><mn>2</mn></mfrac></math>')).toBe('1 2\n')
})

it('struck text of html is marked as such, and joins no number', async () => {
  const page =
    '<p><del>500</del><ins>700</ins> EUR, <s>12 </s>15 <strike></strike>days<h1>A <del><s>new</s></del>one</h1>'
  const pieces = await readBytes(`<html>${page}`, 'a.html')
  expect(textOf(pieces)).toBe('~~500~~700 EUR, ~~12~~ 15 days\n\nA ~~new~~one\n')
  expect(pieces.flatMap(({ position }) => position?.headings ?? [])).toEqual(['A ~~new~~one'])
})

it('struck text of html is marked in every line and cell that it is in, and ends where a browser ends it', async () => {
  const read = async (page: string) => textOf(await readBytes(`<html>${page}`, 'a.html', { pieceBytes: 7 }))
  const rows = '<tr><td>a<td>b<tr><td>c<td>d'
  expect(await read(`<del><table>${rows}</table></del>e`)).toBe('~~a~~\t~~b~~\n~~c~~\t~~d~~\n\ne\n')
  expect(await read('<del><h1>A</h1><p>b<br>c <s>d</s> e</del>')).toBe('~~A~~\n\n~~b~~\n~~c d e~~\n')
  expect(await read('<table><tr><td><del>a</td><td>b</del> c</td><tr><td><s>d<td>e</table>f')).toBe(
    '~~a~~\tb c\n~~d~~\te\n\nf\n',
  )
  expect(await read('<p><del>a</p><p>b</del> c<p><s>d<p>e</s> f')).toBe('~~a~~\n\nb c\n\n~~d~~\n\n~~e~~ f\n')
})

it('text of html that a style strikes out is marked, too', async () => {
  const read = async (page: string) => textOf(await readBytes(`<html>${page}`, 'a.html', { pieceBytes: 7 }))
  const struck = '<span style="color:red; text-decoration: line-through">'
  expect(
    await read(
      `<p>Within ${struck}<span>12</span> </span><span>15 <span style="color:blue">days</span></span>.`,
    ),
  ).toBe('Within ~~12~~ 15 days.\n')
  expect(await read(`<table><tr><td>${struck}a<td>b</span></table>c`)).toBe('~~a~~\tb\n\nc\n')
})

it('annotations of html stand behind the words that they are beside', async () => {
  const read = async (page: string) => textOf(await readBytes(`<html>${page}`, 'a.html', { pieceBytes: 7 }))
  expect(
    await read('<ruby>漢<rt>かん</rt>字<rt>じ</rt></ruby>は<ruby>難<rp>(<rt>むずか<rp>)</ruby>しい'),
  ).toBe('漢字(かんじ)は難(むずか)しい\n')
  expect(await read('<p>a<rt>b<p>c <rp>d<p>e')).toBe('a(b)\n\nc\n\ne\n')
})

it('items of html have the numbers that a browser shows', async () => {
  const read = async (page: string) => textOf(await readBytes(`<html>${page}`, 'a.html', { pieceBytes: 7 }))
  expect(
    await read(
      '<ol start="4"><li>a<ul><li>b</ul><li>c<li value=9>d<ol type=a><li>e<li>f</ol><li>g</ol><li>h',
    ),
  ).toBe('4. a\n\n- b\n\n5. c\n9. d\n\na. e\nb. f\n\n10. g\n\n- h\n')
  expect(
    await read(
      '<ol style="margin:0;list-style: inside upper-roman" start=4><li>a</ol><ol start=27 type=A><li>b</ol>',
    ),
  ).toBe('IV. a\n\nAA. b\n')
  expect(
    await read(
      '<ol style="list-style:none"><li>a</ol><ol reversed><li>b</ol><ol reversed start=1><li>c<li>d</ol>',
    ),
  ).toBe('- a\n\n- b\n\n1. c\n0. d\n')
})

it('digits of html that stand higher are none of the number before them', async () => {
  const page =
    '<p>10<sup>6</sup> euro since 1998<sup>3</sup>, 5 m<sup>2</sup>, 10<sup><i>\u22123</i></sup>, 4<sup>th</sup>'
  expect(textOf(await readBytes(page, 'a.html', { pieceBytes: 7 }))).toBe(
    '10^6 euro since 1998^3, 5 m2, 10^\u22123, 4th\n',
  )
})

it('values of tables of html stay in their column behind empty cells', async () => {
  const row = (...cells: string[]) => `<tr>\n ${cells.map((cell) => `<td> ${cell} </td>`).join('\n')}</tr>\n`
  const filled = `<table>${row('', 'Jan', 'Feb')}${row('Anna', '', '30')}${row('', '5', '6')}${row('', '')}${row('Bo', '7')}</table>`
  expect(textOf(await readBytes(`${filled}end`, 'a.html'))).toBe(
    '\tJan\tFeb\nAnna\t\t30\n\t5\t6\nBo\t7\n\nend\n',
  )
  const spanned =
    '<table><tr><th rowspan=2>Town<th colspan="2">Spring<th>Fall<tr><td>Jan<td>Feb<td>Sep<tr><td>Oulu<td>1<td>2<td>3</table>'
  expect(textOf(await readBytes(spanned, 'a.html', { pieceBytes: 5 }))).toBe(
    'Town\tSpring\t\tFall\n\tJan\tFeb\tSep\nOulu\t1\t2\t3\n',
  )
  const nested = '<table><tr><td rowspan=2>a<td><table><tr><td>b<td>c</table><tr><td>d<tr><td>e<td/>f</table>'
  expect(textOf(await readBytes(nested, 'a.xhtml'))).toBe('a\n\nb\tc\n\n\td\ne\tf\n')
  const huge = '<td rowspan=999999999 colspan=999999999>'.repeat(300)
  const page = `<table><tr>${huge}${'<tr><td>a'.repeat(400)}</table>`
  expect(textOf(await readBytes(page, 'a.html')).length).toBeLessThan(10 * page.length)
  const wide = `<table><tr>${'<td>a'.repeat(150)}</table>`
  expect(textOf(await readBytes(wide, 'a.html'))).toBe(`${Array(150).fill('a').join('\t')}\n`)
  const laidOut = `<table>${row('a', '<p>b<p>c', 'd', '')}${row('', '<div>e</div>')}${row('f', 'g')}</table>`
  expect(textOf(await readBytes(laidOut, 'a.html'))).toBe('a\tb c\td\n\te\nf\tg\n')
})

it('a row of html is a line whatever its cells hold, but for code, headings, and tables that lay out a page', async () => {
  const read = async (page: string, pieceBytes = 9) =>
    textOf(await readBytes(`<html>${page}`, 'a.html', { pieceBytes }))
  const cells = (...all: string[]) => `<tr>${all.map((one) => `\n<td>${one}</td>`).join('')}\n</tr>`
  const fees = [
    cells('<p>Port</p>', '<p>Late<br>fee</p>', '<p>2024</p>'),
    cells('<p>Oslo</p>', '', '<ul><li>7<li>8</ul>'),
    cells('<pre>\nBergen\n</pre>', '<div>9</div>', ''),
  ]
  expect(await read(`<table>${fees.join('')}</table>`)).toBe(
    'Port\tLate fee\t2024\nOslo\t\t- 7 - 8\nBergen\t9\n',
  )
  expect(await read('<table><tr><td>a<p>b<td>c<tr><td>d<br>e<td>f</table>')).toBe('a b\tc\nd e\tf\n')
  expect(await read('<table><tr><td><pre>1\n<i>2</i></pre><td><pre>a\n  b</pre></table>')).toBe(
    '1\n2\n\na\n  b\n',
  )
  const page = `<table>${cells('<p>menu', `<h1>Fees</h1><p>a<p>b<table>${fees[1]}</table>c`)}${cells('<p>d<p>e')}</table>`
  expect(await read(page)).toBe('menu\n\nFees\n\na\n\nb\n\nOslo\t\t- 7 - 8\n\nc\n\nd\n\ne\n')
  const article = '<p>The tide came in.'.repeat(2000)
  expect(await read(`<table>${cells('menu', article)}`, 4096)).toContain('in.\n\nThe')
})

it('a row of html whose cells have as much as only a page has keeps their lines', async () => {
  const read = async (...cells: string[]) =>
    textOf(await readBytes(`<table><tr><td>${cells.join('<td>')}</table>`, 'a.html', { pieceBytes: 9 }))
  expect(await read('Anna<br>since 2019', '<p>Hi.</p><ul><li>a<li>b</ul><p>Bye')).toBe(
    'Anna\nsince 2019\n\nHi.\n\n- a\n- b\n\nBye\n',
  )
  const long = 'The tide came in late. '.repeat(7).trim()
  expect(await read('menu', `${long}<br>${long}`)).toBe(`menu\t${long}\n${long}\n`)
  expect(await read('menu', `<p>${long} ${long}`)).toBe(`menu\t${long} ${long}\n`)
  expect(await read('<pre>1<br>2</pre>', '<pre>a # x<br>b</pre>')).toBe('1\n2\n\na # x\nb\n')
  expect(await read('<pre><div>1</div><div>2</div></pre>', 'x')).toBe('1\n2\n\nx\n')
  expect(await read('1', '<pre>a # x\nb')).toBe('1\n\na # x\nb\n')
  expect(await read('&#8203;&zwnj;', '<p>one<p>two')).toMatch(/one\n\ntwo\n$/)
})

it('a picture stands as its description, unless it has none or repeats what is written', async () => {
  const read = async (body: string) =>
    textOf(await readBytes(`<html><p>${body}</p>`, 'a.html', { pieceBytes: 7 }))
  expect(await read('See<img src="x.png" alt="A &quot;map&quot;\n of Velm &amp; Norr">.')).toBe(
    'See [picture: A "map" of Velm & Norr] .\n',
  )
  expect(await read('a<img alt=""><img src="alt.png"><img alt=" "><img alt="IMG_1.JPG"> b')).toBe('a b\n')
  expect(await read('E<img alt="E = mc^2" aria-hidden="true"> = 1')).toBe('E = 1\n')
  const [lazy, copy] = [
    '<img data-src="a.png" alt="A map">',
    '<noscript><img src="a.png" alt="A map"></noscript>',
  ]
  expect(await read(`${lazy}\n${copy} and ${copy}<p>${lazy}`)).toBe('[picture: A map] and [picture: A map]\n')
  expect(await read(`${lazy}${lazy}, ${copy}`)).toBe('[picture: A map] [picture: A map] , [picture: A map]\n')
  expect(await read(`<img alt="${'long '.repeat(200)}">`)).toBe(`[picture: ${'long '.repeat(200).trim()}]\n`)
})
