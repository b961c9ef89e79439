/** What each text loader makes of a small file of its kind, however its bytes arrive. */
import { describe, expect, it } from 'vitest'
import type { SourceRemark } from '../loader.ts'
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
  // Lines of the text are not lines of the file.
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

it('html in the encoding that it declares', async () => {
  const declared = Buffer.from('<html><meta charset="iso-8859-2"><p>\xb3\xf3d\xbc', 'latin1')
  expect(textOf(await readBytes(declared, 'page.html'))).toBe('łódź\n')
})

it.each(['utf-8', 'utf-16', 'utf-16le'])(
  'html of which the bytes show that it is not in %s is guessed, and says so',
  async (declared) => {
    const html = `<meta charset="${declared}"><p>The prize of the city went to Zoë Müller and to André for their café.</p>`
    const remarks: SourceRemark[] = []
    const text = textOf(await readBytes(Buffer.from(html, 'latin1'), 'a.html', { remarks }))
    expect(text).toContain('Zoë Müller and to André')
    expect(remarks).toMatchObject([{ code: 'source-encoding' }])
  },
)

it('markdown has no headings in code and comments', async () => {
  const text =
    '# Top\n```js\n```ts\n# in code\n```\n<!--\n# in a comment\n-->\n<!-- one line -->\n## Below\nx\n'
  const headings = (await readBytes(text, 'a.md')).flatMap(({ position }) => position?.headings?.at(-1) ?? [])
  expect(headings).toEqual(['Top', 'Below'])
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

// Quadratic time would take hours.
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
Date: Mon, 5 Jan 2026 10:00:00 +0000
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

it('a mail cut off in the header of an attachment is read up to there', async () => {
  const cut = 'From: a@b.c\nSubject: Tides\nContent-Type: multipart/mixed; boundary=X\n\n--X\nContent-Type:'
  expect(textOf(await readBytes(cut, 'x.eml'))).toContain('Subject: Tides\n')
})

it('a mail in the folders of a mail server is known by its headers, whatever its name', async () => {
  const text =
    'From: a@x.org\nTo: b@x.org\nSubject: Code\nMIME-Version: 1.0\nContent-Transfer-Encoding: base64\n\nVGhlIGNvZGUgaXMgNDgyMTMu\n'
  for (const name of ['1699999999.M123P456.host:2,S', '1699999999.V1.mail.example.com', 'mail'])
    expect(textOf(await readBytes(text, name))).toContain('The code is 48213.')
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
