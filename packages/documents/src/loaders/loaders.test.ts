/** What every loader of texts makes of a small file of its kind, and that it does not matter how its bytes arrive. */
import { describe, expect, it } from 'vitest'
import { placeOf, readBytes, textOf } from '../testing/read-bytes.ts'

const page = `<!DOCTYPE html><html><head><title>The &quot;Tide&quot;</title><style>p { color: red }</style>
<script>document.write("never shown")</script></head><body>
<!-- not shown --><h1>Of the <em>sea</em></h1><p>The ti&shy;de&nbsp;came in
  before   dawn.</p><ul><li>salt<li>sand &amp; stone</ul>
<h2>Night</h2><table><tr><td>1</td><td>caf&eacute;</td></tr><tr><td>2</td><td>rain</td></tr></table>
<pre>  kept
   as is</pre><svg><text>drawn</text></svg>line<br>break &#128512;
<h1>After</h1>The end.</body></html>`

const notes = `---
title: notes
---
Before all.

# Plan
text
\`\`\`sh
# no heading
\`\`\`
## Parts ##
salt
Night
=====
dawn
`

const mailbox = `From anna@example.org Mon Jan  5 10:00:00 2026
From: Anna <anna@example.org>
To: Bo <bo@example.org>
Date: Mon, 5 Jan 2026 10:00:00 +0000
Subject: =?utf-8?q?Caf=C3=A9?= tomorrow
MIME-Version: 1.0
Content-Type: multipart/mixed; boundary=XX

--XX
Content-Type: text/plain; charset=utf-8
Content-Transfer-Encoding: quoted-printable

We meet at caf=C3=A9 nine.

>From there we walk.
--XX
Content-Type: text/csv; name="places.csv"
Content-Disposition: attachment; filename="places.csv"
Content-Transfer-Encoding: base64

bmFtZSxob3VyCnBpZXIsOQo=
--XX
Content-Type: image/png; name="map.png"
Content-Disposition: attachment; filename="map.png"
Content-Transfer-Encoding: base64

iVBORw0KGgo=
--XX--

From bo@example.org Mon Jan  5 11:00:00 2026
From: Bo <bo@example.org>
Subject: Re
Content-Type: text/html

<p>I will <b>come</b>.</p><script>no()</script>
`

const table = 'name,said\n"Anna","one\ntwo, ""three"""\nBo,four\n'

describe.each([
  ['html', 'page.html', page],
  ['markdown', 'notes.md', notes],
  ['mbox', 'box.mbox', mailbox],
  ['csv', 'table.csv', table],
  [
    'json',
    'list.json',
    '[{"name": "caf\\u00e9 \\ud83d\\ude00 \\\\u0041 \\u0022"},\n [1, {"x": "]"}],\n"last"]',
  ],
  ['text', 'plain.txt', 'one\r\ntwo café\n\nthree 😀'],
])('%s', (_, name, content) => {
  it('gives the same text and positions, however the bytes arrive', async () => {
    const whole = await readBytes(content, name)
    const places = (pieces: typeof whole) =>
      [...new Set(textOf(pieces).match(/\w{3,}/g))].map((word) => [word, placeOf(pieces, word)])
    for (const pieceBytes of [1, 7, 64]) {
      const pieces = await readBytes(content, name, { pieceBytes })
      expect(textOf(pieces)).toBe(textOf(whole))
      const split = places(pieces).filter(([, place]) => place)
      expect(split.length).toBeGreaterThan(0)
      const byWord = new Map(places(whole).map(([word, place]) => [word, place]))
      for (const [word, place] of split) expect([word, place]).toEqual([word, byWord.get(word as string)])
    }
  })
})

it('html is lines of text, with headings', async () => {
  const pieces = await readBytes(page, 'page.html')
  expect(textOf(pieces)).toBe(`The "Tide"

Of the sea

The tide\u00a0came in before dawn.

- salt
- sand & stone

Night

1\tcafé
2\train

  kept
   as is

line
break 😀

After

The end.
`)
  // Its lines are none of the file's.
  expect(placeOf(pieces, 'Tide')?.position).toEqual({})
  expect(placeOf(pieces, 'Of the')?.position).toEqual({ headings: ['Of the sea'] })
  expect(placeOf(pieces, 'rain')?.position).toEqual({ headings: ['Of the sea', 'Night'] })
  expect(placeOf(pieces, 'The end')?.position).toEqual({ headings: ['After'] })
})

it('html in a file of another name is html, and deep nesting takes no time', async () => {
  expect(textOf(await readBytes('\n<!doctype HTML><p>dawn', 'saved'))).toBe('dawn\n')
  const deep = `<html>${'<div>'.repeat(200_000)}deep${'</div>'.repeat(200_000)}`
  expect(textOf(await readBytes(deep, 'deep.html'))).toBe('deep\n')
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
  const laidOut = `<table>${row('a', '<p>b<p>c', 'd', '')}${row('', '<div>e</div>')}${row('f', 'g')}</table>`
  expect(textOf(await readBytes(laidOut, 'a.html'))).toBe('a\n\nb\n\nc\td\n\te\nf\tg\n')
})

it('elements that end at once hide nothing behind them in XHTML, and no frame does anywhere', async () => {
  const body = '<body><p>dawn</p><script src="a.js"/><h1/><p>night</p>'
  expect(textOf(await readBytes(`<html>${body}`, 'a.xhtml'))).toBe('dawn\n\nnight\n')
  expect(textOf(await readBytes(`<?xml version="1.0"?><html>${body}`, 'a.html'))).toBe('dawn\n\nnight\n')
  expect(textOf(await readBytes('<p>dawn<iframe src="x"/><p>night', 'a.html'))).toBe('dawn\n\nnight\n')
  const code = '<p>dawn<script async/>never()</script><p>night'
  expect(textOf(await readBytes(code, 'a.html'))).toBe('dawn\n\nnight\n')
})

it('html in the encoding that it declares', async () => {
  const declared = Buffer.from('<html><meta charset="iso-8859-2"><p>\xb3\xf3d\xbc', 'latin1')
  expect(textOf(await readBytes(declared, 'page.html'))).toBe('łódź\n')
})

it('markdown is as written, with the path of headings and lines; code has none', async () => {
  const pieces = await readBytes(notes, 'notes.md')
  expect(textOf(pieces)).toBe(notes)
  expect(placeOf(pieces, 'Before all')?.position).toEqual({ line: 4 })
  expect(placeOf(pieces, '# no heading')?.position).toEqual({ headings: ['Plan'], line: 9 })
  expect(placeOf(pieces, 'salt')?.position).toEqual({ headings: ['Plan', 'Parts'], line: 12 })
  expect(placeOf(pieces, 'dawn')?.position).toEqual({ headings: ['Night'], line: 15 })
})

it('csv is as written, with rows across quoted line breaks', async () => {
  const pieces = await readBytes(table, 'table.csv')
  expect(textOf(pieces)).toBe(table)
  expect(placeOf(pieces, 'two')?.position).toEqual({ row: 2, line: 3 })
  expect(placeOf(pieces, 'Bo')?.position).toEqual({ row: 3, line: 4 })
})

it('a quote inside a value of csv is no quoted value, and a doubled one ends none', async () => {
  const rowsOf = async (name: string, text: string) =>
    (await readBytes(text, name)).map(({ position }) => position?.row)
  expect(await rowsOf('a.tsv', 'id\tname\n1\t6" nail\n2\tbolt\n')).toEqual([1, 2, 3])
  expect(await rowsOf('a.csv', 'id,name\n1,"a ""b""\nc"\n2, "x\ny"\n3,z\n')).toEqual([
    ...[1, 2, undefined],
    ...[3, undefined, 4],
  ])
})

// Otherwise it would take hours.
it('comments, spaces and hashes take time that grows with their length alone', async () => {
  const comments = `${'<!-- a licence -->\n'.repeat(100)}<project>`
  const lines = [
    `#${' '.repeat(5000)}\rx`,
    `# a${' '.repeat(50_000)}b`,
    `# a ${'#'.repeat(50_000)}b`,
    '## c ##',
    '###',
  ]
  expect((await readBytes(comments, 'pom.xml')).map(({ text }) => text).join('')).toBe(comments)
  const pieces = await readBytes(`${lines.join('\n')}\n`, 'a.md')
  expect(pieces.flatMap(({ position }) => position?.headings?.at(-1) ?? [])).toContain('c')
})

it('a mailbox without a line break is too large before it is held', async () => {
  const limits = { wholeBytes: 1 << 20 }
  const box = `From a@b.c Mon Jan 5 10:00:00 2026\n${'x'.repeat(3 << 20)}`
  await expect(readBytes(box, 'a.mbox', { limits })).rejects.toMatchObject({ code: 'document/over-limit' })
})

it('json is as written, with letters for their escapes, and elements as rows', async () => {
  const pieces = await readBytes(
    '[{"name": "caf\\u00e9 \\ud83d\\ude00 \\\\u00e9 \\u0022"},\n[1, {"x": "]"}],\n"last"]',
    'a.json',
  )
  expect(textOf(pieces)).toBe('[{"name": "café 😀 \\\\u00e9 \\u0022"},\n[1, {"x": "]"}],\n"last"]')
  expect(placeOf(pieces, '"x"')?.position).toEqual({ row: 2, line: 2 })
  expect(placeOf(pieces, 'last')?.position).toEqual({ row: 3, line: 3 })
  const lines = await readBytes('{"a": 1}\n{"b": [2, 3]}\n', 'a.jsonl')
  expect(placeOf(lines, '"b"')?.position).toEqual({ line: 2 })
})

it('mail is its headers, its text and its attachments, numbered in a mailbox', async () => {
  const pieces = await readBytes(mailbox, 'box.mbox')
  expect(textOf(pieces.filter(({ source }) => source === 'box.mbox'))).toBe(`From: "Anna" <anna@example.org>
To: "Bo" <bo@example.org>
Date: 2026-01-05T10:00:00.000Z
Subject: Café tomorrow

We meet at café nine.

From there we walk.
[Attachment, not read: map.png (image/png)]

From: "Bo" <bo@example.org>
Subject: Re

I will come.

`)
  expect(placeOf(pieces, 'meet')?.position).toEqual({ message: 1, headings: ['Café tomorrow'] })
  expect(placeOf(pieces, 'come')?.position).toEqual({ message: 2, headings: ['Re'] })
  expect(placeOf(pieces, 'pier')).toEqual({ source: 'box.mbox/1/places.csv', position: { row: 2, line: 2 } })
})

describe('a mail with HTML', () => {
  const part = (header: string, content: string) => `--X\nContent-Type: ${header}\n\n${content}\n`
  const mailOf = (kind: string, ...parts: string[]) =>
    `From: a@b.c\nSubject: Tides\nContent-Type: multipart/${kind}; boundary=X\n\n${parts.join('')}--X--\n`
  const html = part('text/html', '<p>The tide is <b>high</b> at nine.</p>')
  const readMail = async (mail: string) => /\n\n(.*?)\s*$/s.exec(textOf(await readBytes(mail, 'a.eml')))?.[1]

  it('is its HTML where the plain text beside it says less, or nothing of it', async () => {
    const footer = part('text/plain', 'The list of tides')
    expect(await readMail(mailOf('mixed', html, footer))).toBe(
      'The tide is high at nine.\n\nThe list of tides',
    )
    const other = part('text/plain', 'Please open this letter with a program that can show it.')
    expect(await readMail(mailOf('alternative', other, html))).toBe('The tide is high at nine.')
    const same = part('text/plain', 'The tide is *high* at nine, https://tides.example')
    expect(await readMail(mailOf('alternative', same, html))).toBe(
      'The tide is *high* at nine, https://tides.example',
    )
  })

  it('has the files that are attached to it, though they be related to its HTML', async () => {
    const related = (header: string) => part(`text/csv\nContent-ID: <x@y>\n${header}`, 'pier,9')
    const attached = related('Content-Disposition: attachment; filename="tides.csv"')
    expect(placeOf(await readBytes(mailOf('related', html, attached), 'a.eml'), 'pier')?.source).toBe(
      'a.eml/tides.csv',
    )
    const style = part('text/css\nContent-ID: <x@y>', 'p { color: red }')
    expect(await readMail(mailOf('related', html, style))).toBe('The tide is high at nine.')
  })
})

it('a mail that is attached to another is read as a mail, whatever its name', async () => {
  const inner = 'From: b@c.d\nSubject: Inner\nContent-Transfer-Encoding: base64\n\nVGhlIGNvZGUgaXMgMzEzMzcu'
  for (const [header, name] of [
    ['', 'attachment.eml'],
    ['; filename="Re: v2.5 of the plan"', 'Re: v2.5 of the plan.eml'],
    ['; filename="plan.EML"', 'plan.eml'],
  ]) {
    const attached = `Content-Type: message/rfc822\nContent-Disposition: attachment${header}\n\n${inner}`
    const mail = `From: a@b.c\nContent-Type: multipart/mixed; boundary=X\n\n--X\n${attached}\n--X--\n`
    expect(placeOf(await readBytes(mail, 'a.eml'), 'The code is 31337.')).toEqual({
      source: `a.eml/${name}`,
      position: { headings: ['Inner'] },
    })
  }
})

it('a text that begins like a mailbox is none without headers, and keeps its first line', async () => {
  const letter = 'From London the 10:30 train of 1923 left with the code 4711.\nIt arrived late.\n'
  expect(textOf(await readBytes(letter, 'letter.txt'))).toBe(letter)
  const box = 'From bo@example.org Mon Jan  5 11:00:00 2026\r\n>From here\r\nSubject: Tides\r\n\r\nhigh\r\n'
  expect(placeOf(await readBytes(box, 'saved'), 'high')?.position).toMatchObject({ message: 1 })
})

it('a date of a mail that is none is told as it is written', async () => {
  const dateOf = async (date: string) =>
    /^Date: .*/m.exec(textOf(await readBytes(`From: a@b.c\nDate: ${date}\n\nhigh\n`, 'a.eml')))?.[0]
  expect(await dateOf('sometime\n last Thursday')).toBe('Date: sometime last Thursday')
  expect(await dateOf('Mon, 5 Jan 2026 10:00:00 +0100 (CET)')).toBe('Date: 2026-01-05T09:00:00.000Z')
})

it('a mail cut off in the header of an attachment is read up to there', async () => {
  const cut = 'From: a@b.c\nSubject: Tides\nContent-Type: multipart/mixed; boundary=X\n\n--X\nContent-Type:'
  expect(textOf(await readBytes(cut, 'x.eml'))).toContain('Subject: Tides\n')
})

it('a single mail is known by its headers, and by its name', async () => {
  const [, second] = mailbox.split(/^From .*\n/m).slice(1) as [string, string]
  expect(placeOf(await readBytes(second, 'x.eml'), 'come')).toEqual({
    source: 'x.eml',
    position: { headings: ['Re'] },
  })
  const received = `Received: from a\nDate: today\nTo: Bo\n${second}`
  expect(textOf(await readBytes(received, 'standard input'))).toContain('I will come.\n')
  expect(textOf(await readBytes('From: a book\n\nnot mail', 'quote.txt'))).toBe('From: a book\n\nnot mail')
})
