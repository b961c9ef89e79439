/** Mails of several parts, and what only looks like mail. */
import { describe, expect, it } from 'vitest'
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

it('a date of a mail that is none is told as it is written', async () => {
  const dateOf = async (date: string) =>
    /^Date: .*/m.exec(textOf(await readBytes(`From: a@b.c\nDate: ${date}\n\nhigh\n`, 'a.eml')))?.[0]
  expect(await dateOf('sometime\n last Thursday')).toBe('Date: sometime last Thursday')
  expect(await dateOf('Mon, 5 Jan 2026 10:00:00 +0100 (CET)')).toBe('Date: 2026-01-05T09:00:00.000Z')
})
