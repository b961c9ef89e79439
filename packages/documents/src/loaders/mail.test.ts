/** Multipart mails, and what only looks like mail. */
import { describe, expect, it } from 'vitest'
import type { SourceRemark } from '../loader.ts'
import { placeOf, readBytes, textOf } from '../testing/read-bytes.ts'

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

it('a sentence of a message that looks like the line before the next one stays where it is', async () => {
  const separator = 'From bo@example.org Mon Jan  5 11:00:00 2026\n'
  const sentence = 'From Monday at 9:30 to Friday, 5 January 2024, the gate is shut.\nThe code is 4711.\n'
  const box = `${separator}Subject: One\n\nHi,\n\n${sentence}\nBye\n\n${separator}Subject: Two\n\nlow\n`
  const pieces = await readBytes(box, 'a.mbox')
  expect(textOf(pieces)).toContain(`Hi,\n\n${sentence}\nBye\n`)
  expect(placeOf(pieces, 'low')?.position).toMatchObject({ message: 2 })
  expect(
    textOf(await readBytes(`${separator}Subject: One\n\nHi,\n\n${sentence.split('\n')[0]}`, 'a.mbox')),
  ).toMatch(/gate is shut\.\s*$/)
})

describe('a mail that is not as it should be', () => {
  const remarksOf = async (mail: string | Uint8Array) => {
    const remarks: SourceRemark[] = []
    const text = textOf(await readBytes(mail, 'a.eml', { remarks }))
    return { text, remarks: remarks.map(({ code, message }) => `${code}: ${message}`) }
  }

  it('is read in a character set that is guessed where it names none, and says so', async () => {
    const latin = (text: string) => Buffer.from(text, 'latin1')
    const body = 'Der Vorsitz liegt bei Frau M\xfcller, die Geb\xfchr betr\xe4gt f\xfcr alle sieben Euro.'
    const part = `--X\n\n${body}\n--X\nContent-Type: text/html\n\n<p>${body}\n--X--\n`
    const quoted = body.replace(/[\x80-\xff]/g, (sign) => `=${sign.charCodeAt(0).toString(16).toUpperCase()}`)
    for (const mail of [
      `From: a@b.c\n\n${body}\n`,
      `From: a@b.c\nContent-Type: text/plain;\n charset=us-ascii\n\n${body}\n`,
      `From: a@b.c\nContent-Type: multipart/alternative; boundary="X"\n\n${part}`,
      `From: a@b.c\nContent-Transfer-Encoding: quoted-printable\n\n${quoted}\n`,
    ]) {
      const { text, remarks } = await remarksOf(latin(mail))
      expect(text).toContain('Müller, die Gebühr beträgt für alle sieben Euro.')
      expect(remarks).toEqual([
        expect.stringMatching(/^source-encoding: a\.eml names no character set .* guess\.$/),
      ])
    }
    const { text, remarks } = await remarksOf(
      latin(`From: a@b.c\nContent-Type: text/plain; charset=utf-8\n\n${body}\n`),
    )
    expect(text).toContain('M\ufffdller')
    expect(remarks).toEqual([expect.stringContaining('shown as \ufffd')])
  })

  it('keeps its parts in UTF-8, whatever another part is in', async () => {
    const [whole, damaged] = ['\n\nÜberraschung in Zürich\n', 'Content-Type: text/plain; charset=utf-8\n\n']
    const head = 'From: a@b.c\nContent-Type: multipart/mixed; boundary=X\n\n--X'
    const mail = Buffer.concat([
      ...[Buffer.from(`${head}${whole}--X\n${damaged}f`), Buffer.from([0xe4]), Buffer.from('n\n--X--\n')],
    ])
    const { text, remarks } = await remarksOf(mail)
    expect(text).toContain('Überraschung in Zürich')
    expect(remarks).toEqual([expect.stringContaining('shown as \ufffd')])
    const cut = Buffer.from(`From: a@b.c\n\n${'Grüße aus Köln. '.repeat(9)}ü`)
    expect((await remarksOf(cut.subarray(0, -1))).text).toContain('Grüße aus Köln.')
  })

  it('takes no longer for what is never closed', async () => {
    const mail = Buffer.from(
      `From: a@b.c\n\n\xfc ${'<meta '.repeat(80_000)}${' '.repeat(100_000)}\n`,
      'latin1',
    )
    expect((await remarksOf(mail)).text).toContain('ü <meta')
  })

  it('is told to be incomplete where its end is missing', async () => {
    const mail = 'From: a@b.c\nContent-Type: multipart/mixed; boundary=X\n\n--X\n\nCode 1 is 4711.\nCode 2 i'
    expect((await remarksOf(mail)).remarks).toEqual([
      'source-part-unread: a.eml has no end, perhaps because it was cut off: text may be missing.',
    ])
    expect((await remarksOf(`${mail}s 3.\n--X--\n`)).remarks).toEqual([])
  })
})

it('an encrypted mail is told as not read, and stops no mailbox', async () => {
  const parts = (...all: string[]) => `${all.map((part) => `--X\n${part}\n`).join('')}--X--\n`
  const pgp = `Content-Type: multipart/encrypted; protocol="application/pgp-encrypted"; boundary=X\n\n${parts(
    'Content-Type: application/pgp-encrypted\n\nVersion: 1',
    'Content-Type: application/octet-stream; name=e.asc\n\n-----BEGIN PGP MESSAGE-----\nhQE',
  )}`
  const smime =
    'Content-Type: application/pkcs7-mime; smime-type=enveloped-data; name=smime.p7m\nContent-Transfer-Encoding: base64\n\nMIAGCSqGSIb3DQEHA6CAAP8='
  const inline = '\n-----BEGIN PGP MESSAGE-----\nhQE\n-----END PGP MESSAGE-----'
  const box = [pgp, smime, inline, '\nhigh'].map(
    (mail) => `From a@b.c Mon Jan  1 10:00:00 2024\nFrom: a@b.c\nSubject: Tide\n${mail}\n\n`,
  )
  const remarks: SourceRemark[] = []
  const pieces = await readBytes(box.join(''), 'a.mbox', { remarks })
  const told = [1, 2, 3].map(
    (number) => `a.mbox, message ${number}, is encrypted, or a part of it is: that is not read.`,
  )
  expect(remarks.map(({ message }) => message)).toEqual(told)
  expect(pieces.flatMap(({ unread }) => unread?.message ?? [])).toEqual(told)
  const shows = (words: string) => textOf(pieces).includes(words)
  expect(['Version: 1', 'hQE', 'high'].map(shows)).toEqual([false, false, true])
})

it('a saved web page is its text, and a mail of Apple has nothing of what stands around it', async () => {
  const page = [
    'From: <Saved by Blink>\nSubject: Tide\nMIME-Version: 1.0\nContent-Type: multipart/related; type="text/html"; boundary=X\n',
    '--X\nContent-Type: text/html\nContent-Transfer-Encoding: quoted-printable\n\n<p>High at 12=\n34=E2=82=AC</p>',
    '--X\nContent-Type: text/css\nContent-Location: cid:a@b\n\np { color: red }\n--X--\n',
  ].join('\n')
  for (const name of ['a.mhtml', 'a.mht']) {
    expect(textOf(await readBytes(page, name))).toBe(
      'From: "Saved by Blink"\nSubject: Tide\n\nHigh at 1234€\n\n',
    )
  }
  const mail = 'From: a@b.c\nSubject: Tide\n\nHigh.\n'
  expect(
    textOf(await readBytes(`${mail.length}      \n${mail}<?xml version="1.0"?><plist/>`, 'a.emlx')),
  ).toBe(`${mail}\n`)
})

it('a signature of a mail is mentioned and not read', async () => {
  const signature =
    'Content-Type: application/pkcs7-signature; name="smime.p7s"\nContent-Transfer-Encoding: base64'
  const mail = `From: a@b.c\nContent-Type: multipart/signed; boundary=X\n\n--X\n\nhigh\n--X\n${signature}\n\nAAECAwQ=\n--X--\n`
  expect(textOf(await readBytes(mail, 'a.eml'))).toContain(
    'high\n[Attachment, not read: smime.p7s (application/pkcs7-signature)]',
  )
})

it('the date and all receivers of a mail are told as they are written', async () => {
  const headOf = async (headers: string) =>
    /^(?:[A-Z]\w+: .*\n)+/.exec(textOf(await readBytes(`${headers}\n\nhigh\n`, 'a.eml')))?.[0]
  const date = 'Date: Thu, 4 Jan 2024 23:30:00 -0800 (PST)\n'
  expect(await headOf(`From: a@b.c\nBcc: d@e.f\n${date}`)).toBe(`From: a@b.c\nBcc: d@e.f\n${date}`)
  expect(await headOf('From: a@b.c\nDate: sometime\n last Thursday')).toBe(
    'From: a@b.c\nDate: sometime last Thursday\n',
  )
})
