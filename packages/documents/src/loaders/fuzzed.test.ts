/** Damaged files are read or refused; nothing crashes or takes forever. */
import { gzipSync } from 'node:zlib'
import { DocumentError } from '@memagent/core'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { readBytes } from '../testing/read-bytes.ts'
import { zipOf } from '../testing/zip-of.ts'

const html =
  '<!doctype html><meta charset="koi8-r"><h1>Sea &amp; <b>salt</h1><pre>a\n b</pre><ul><li>x<svg/><td>y</html>'
const mail = `Received: x\nFrom: a@b.c\nDate: today\nTo: x\nMIME-Version: 1.0\nSubject: =?utf-8?q?=C3=A9?=
Content-Type: multipart/mixed; boundary=X\n\n--X\nContent-Type: text/html\n\n<p>tide</p>\n--X
Content-Type: text/csv; name=t.csv\nContent-Transfer-Encoding: base64\n\nYSxiCg==\n--X--\n`
const files: Readonly<Record<string, Buffer>> = {
  'a.html': Buffer.from(html),
  'a.md': Buffer.from('---\na: b\n---\n# One\ntext\n```\n# x\n```\nTwo\n===\n'),
  'a.csv': Buffer.from('a,b\n"x\ny",2\n'),
  'a.json': Buffer.from('[{"a": "\\u00e9\\ud83d\\ude00"}, [1, "]"]]'),
  'a.eml': Buffer.from(mail),
  'a.mbox': Buffer.from(`From x Mon Jan  5 10:00:00 2026\n${mail}\nFrom y Mon Jan  5 11:00:00 2026\n${mail}`),
  'a.txt': Buffer.from('Größe'.repeat(30), 'latin1'),
  'a.txt.gz': gzipSync('tide '.repeat(100)),
  'a.zip': zipOf([
    { name: 'x/a.html', content: html },
    { name: 'b.eml', content: mail },
  ]),
}

const change = fc.oneof(
  fc.record({ at: fc.double({ min: 0, max: 1, noNaN: true }), bytes: fc.uint8Array({ maxLength: 6 }) }),
  fc.record({ at: fc.double({ min: 0, max: 1, noNaN: true }), drop: fc.nat({ max: 40 }) }),
)

it('every damaged file is text or one DocumentError with a hint', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...Object.keys(files)),
      fc.array(change, { minLength: 1, maxLength: 4 }),
      fc.constantFrom(1, 50, 100_000),
      async (name, changes, pieceBytes) => {
        let bytes = files[name]!
        for (const { at, ...how } of changes) {
          const from = Math.floor(at * bytes.length)
          bytes =
            'bytes' in how
              ? Buffer.concat([bytes.subarray(0, from), how.bytes, bytes.subarray(from + how.bytes.length)])
              : Buffer.concat([bytes.subarray(0, from), bytes.subarray(from + how.drop)])
        }
        try {
          for (const { text, lengthBytes } of await readBytes(bytes, name, { pieceBytes })) {
            expect(lengthBytes).toBe(Buffer.byteLength(text))
          }
        } catch (error) {
          expect(error).toBeInstanceOf(DocumentError)
          expect((error as DocumentError).hint).toMatch(/\S/)
        }
      },
    ),
    { numRuns: 400 },
  )
})
