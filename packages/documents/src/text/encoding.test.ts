import { describe, expect, it } from 'vitest'
import type { SourceRemark } from '../loader.ts'
import { readBytes, textOf } from '../testing/read-bytes.ts'

const german =
  'Die Flut kam vor der Dämmerung. Über dem Hafen lag Nebel, und die Möwen schwiegen. Größe: 42.\n'
const russian = 'Прилив пришёл до рассвета, и над гаванью лежал туман. Чайки молчали всю ночь.\n'

const utf16 = (text: string, isLittle: boolean) => {
  const bytes = Buffer.from(text, 'utf16le')
  return isLittle ? bytes : bytes.swap16()
}
const utf32 = (text: string, isLittle: boolean) => {
  const codes = [...text].map((letter) => letter.codePointAt(0)!)
  const bytes = Buffer.alloc(4 * codes.length)
  for (const [i, code] of codes.entries()) {
    if (isLittle) bytes.writeUInt32LE(code, 4 * i)
    else bytes.writeUInt32BE(code, 4 * i)
  }
  return bytes
}
const koi8 = (text: string) => {
  const letters = new TextDecoder('koi8-r').decode(Uint8Array.from({ length: 256 }, (_, byte) => byte))
  return Uint8Array.from(text, (letter) => letters.indexOf(letter))
}

describe.each([
  ['UTF-8', Buffer.from(german), german],
  ['UTF-8 with a mark', Buffer.from(`\ufeff${german}`), german],
  ['UTF-16LE with a mark', utf16(`\ufeff${german}`, true), german],
  ['UTF-16BE with a mark', utf16(`\ufeff${german}`, false), german],
  ['UTF-16LE', utf16(german, true), german],
  ['UTF-16BE', utf16(german, false), german],
  ['UTF-32LE with a mark', utf32(`\ufeff${german}😀`, true), `${german}😀`],
  ['UTF-32BE', utf32(german, false), german],
  ['Latin 1', Buffer.from(german, 'latin1'), german],
  ['KOI8-R', koi8(russian), russian],
  [
    'ISO-2022-JP',
    Buffer.from('\x1b$B$3$s$K$A$O\x1b(B hello\n\x1b$B@$3&\x1b(B\n', 'latin1'),
    'こんにちは hello\n世界\n',
  ],
  [
    'Shift_JIS',
    Buffer.from(
      '8cc3927282e28a5e94f2827682e6408b8582cc89b9814290c382a982c88e9e8ad4814288c082e782ac82cc96e981420a',
      'hex',
    ),
    undefined,
  ],
])('%s', (name, bytes, text) => {
  it('is read, whole and in pieces', async () => {
    const expected = text ?? new TextDecoder('shift_jis').decode(bytes)
    const remarks: SourceRemark[] = []
    expect(textOf(await readBytes(bytes, 'x.txt', { remarks }))).toBe(expected)
    expect(textOf(await readBytes(bytes, 'x.txt', { pieceBytes: 3 }))).toBe(expected)
    expect(remarks).toHaveLength(name.startsWith('UTF') ? 0 : 1)
  })
})

it('a guess is remarked on, also when it comes late in the file', async () => {
  const remarks: SourceRemark[] = []
  const ascii = 'The tide came in.\n'.repeat(10_000)
  const bytes = Buffer.from(ascii + german, 'latin1')
  expect(textOf(await readBytes(bytes, 'late.txt', { remarks, pieceBytes: 5000 }))).toBe(ascii + german)
  expect(remarks).toEqual([
    {
      code: 'source-encoding',
      source: 'late.txt',
      message: expect.stringMatching(/^late\.txt is not UTF-8; it is read as \S+, which is a guess\.$/),
    },
  ])
})

it.each([
  ['Temperature 25 °C, area 5 m², cost £20', 'latin1', /8859-1|1252/],
  [Buffer.from(koi8('Мост через реку был открыт в 1923 году.')), '', /KOI8-R/],
  // GB 2312
  [
    Buffer.from('d5e2d7f9c7c5d3da31393233c4eabfaacda8a1a3cad0b3a4b7a2b1edc1cbbdb2bbb0a1a3', 'hex'),
    '',
    /GB18030/,
  ],
] as const)(
  'a short text is not read in an encoding that makes no sense of it (%#)',
  async (text, encoding, expected) => {
    const remarks: SourceRemark[] = []
    const bytes = typeof text === 'string' ? Buffer.from(text, encoding as BufferEncoding) : text
    const read = textOf(await readBytes(bytes, 'x.txt', { remarks }))
    expect(remarks[0]?.message).toMatch(expected)
    if (typeof text === 'string') expect(read).toBe(text)
  },
)

it('a text too short for any guess is refused, and loses no letters', async () => {
  await expect(readBytes(Buffer.from('Größe: 5', 'latin1'), 'x.txt')).rejects.toMatchObject({
    code: 'document/not-utf-8',
    details: { offset: 2 },
  })
})

it('damaged UTF-8 is no other encoding: it fails with the offset, or is replaced', async () => {
  const bytes = Buffer.concat([Buffer.from(german), Buffer.from([0xff]), Buffer.from(german)])
  await expect(readBytes(bytes, 'x.txt')).rejects.toMatchObject({
    code: 'document/not-utf-8',
    details: { source: 'x.txt', offset: Buffer.byteLength(german) },
  })
  expect(textOf(await readBytes(bytes, 'x.txt', { invalidBytes: 'replace' }))).toBe(
    `${german}\ufffd${german}`,
  )
})

it('bytes of no known kind are refused', async () => {
  const random = Uint8Array.from({ length: 3000 }, (_, i) => (i * 167 + ((i * i) >> 3)) % 256)
  await expect(readBytes(random, 'x.txt')).rejects.toMatchObject({ code: 'document/binary' })
  await expect(
    readBytes(
      random.filter((byte) => byte !== 0),
      'x.txt',
    ),
  ).rejects.toMatchObject({
    code: 'document/not-utf-8',
  })
})

it('a file that goes on with zero bytes is none of a legacy encoding', async () => {
  const text = Buffer.from(german.repeat(1000), 'latin1')
  const bytes = Buffer.concat([text, Buffer.from('\x01\0\x02', 'latin1')])
  await expect(readBytes(bytes, 'x.txt', { pieceBytes: 70_000 })).rejects.toMatchObject({
    code: 'document/binary',
    message: `x.txt has zero bytes (byte ${text.length + 1}): it looks like a binary file, not text.`,
  })
})

it('has line feeds where lines end with a carriage return alone, wherever its pieces end', async () => {
  for (const pieceBytes of [1, 2, 3, 100]) {
    const read = await readBytes('one\rtwo\r\nthree\r\rfour\r', 'a.txt', { pieceBytes })
    expect(textOf(read)).toBe('one\ntwo\r\nthree\n\nfour\n')
    const rows = await readBytes('a,b\r1,2\r', 'a.csv', { pieceBytes })
    expect(rows.map(({ position }) => position?.row)).toEqual([1, 2])
  }
})
