/**
 * Texts as Postgres takes them: it has no U+0000, and UTF-8 has no lone surrogates, but a document may have both. They are
 * written as U+FDD0, which is no character, and four hexadecimal digits; so is U+FDD0 itself. Equal texts stay equal.
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
