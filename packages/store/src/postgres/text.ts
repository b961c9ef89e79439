/**
 * Escapes text for Postgres, which rejects U+0000 and lone surrogates (not valid UTF-8), though a document may contain both.
 * They are written as the noncharacter U+FDD0 and four hexadecimal digits; so is U+FDD0 itself. Equal texts stay equal.
 */

const mark = '\ufdd0'
const unwritable = /[\0\ufdd0]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g

export const writable = (text: string): string =>
  text.replace(unwritable, (unit) => mark + unit.charCodeAt(0).toString(16).padStart(4, '0'))

export const original = (text: string): string =>
  text.includes(mark)
    ? text.replace(/\ufdd0([0-9a-f]{4})/g, (_, digits: string) =>
        String.fromCharCode(Number.parseInt(digits, 16)),
      )
    : text
