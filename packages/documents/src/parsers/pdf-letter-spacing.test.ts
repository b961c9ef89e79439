import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { corpusFile } from '../testing/corpus.ts'
import { parsePdf } from './pdf.ts'
import { mayBeLetterSpaced, withoutLetterSpacing } from './pdf-letter-spacing.ts'
import type { TextItem } from './pdf-lines.ts'

const item = (str: string, width = 5 * str.length): TextItem => ({
  ...{
    str,
    dir: 'ltr',
    transform: [10, 0, 0, 10, 50, 700],
    width,
    height: str.trim() === '' ? 0 : 10,
    hasEOL: false,
  },
})
const strings = (items: readonly TextItem[], glyphs: string) =>
  withoutLetterSpacing(items, glyphs).map(({ str }) => str)

it('keeps the spaces that glyphs draw, and no others', () => {
  expect(strings([item('T h e m a s t e r i s A n n H a l e')], 'The master is Ann Hale')).toEqual([
    'The master is Ann Hale',
  ])
  expect(strings([item('o f Ve l m')], 'of Velm')).toEqual(['of Velm'])
  expect(strings([item('a b c and x y z')], 'a b c and x y z')).toEqual(['a b c and x y z'])
})

it('drops gaps between the letters of a word, and keeps those between words and columns', () => {
  const spaced = [
    item('f o'),
    item(' ', 8),
    item('r'),
    item(' ', 16),
    item('t h e e'),
    item(' ', 16),
    item('O N E'),
  ]
  expect(strings(spaced, 'for theeONE').join('')).toBe('for thee ONE')
})

it('finds its place behind glyphs that are left out, and ligatures', () => {
  const items = [item('missing'), item('The office of the port'), item(' '), item('S p o k e n f o r')]
  expect(strings(items, '\u0001\u0002missingThe o\ufb03ce of the port Spoken for').join('')).toBe(
    'missingThe office of the port Spoken for',
  )
})

it('closes up single words, line by line, but no rows of cells', () => {
  const lines = (...texts: string[]) => texts.map((str) => ({ ...item(str), hasEOL: true }))
  const rows = lines('A b c', 'D e f', '1 2 3', 'x 1 y')
  const prose = 'The cells of the table are there and there'
  expect(strings([...rows, item(prose)], `AbcDef123x1y${prose}`).slice(0, 4)).toEqual(
    rows.map(({ str }) => str),
  )
  expect(strings([...lines('T h e q u a y', '1 2 3'), item(prose)], `The quay123${prose}`)[1]).toBe('1 2 3')
  expect(strings([...lines('K E Y S'), item(prose)], `KEYS${prose}`)[0]).toBe('KEYS')
  const title = lines('Y E A R', 'B O O K')
  expect(strings([...title, item(prose)], `YEAR\nBOOK\n${prose}`).slice(0, 2)).toEqual(['YEAR', 'BOOK'])
})

it('goes on behind text that is read from the right', () => {
  const items = [item('\u05e9 \u05dc \u05d5 \u05dd'), item('o f'), item(' ', 16), item('V e l m')]
  expect(strings(items, '\u05dd\u05d5\u05dc\u05e9 of Velm').slice(1).join('')).toBe('of Velm')
})

describe('leaves text as it is', () => {
  it.each([
    ['of a program that draws no spaces', 'x y z', 'Thesumsxyzareofoneandthesame'],
    ['whose letters are in text objects of their own', 'K E Y S', 'K\nE\nY\nS\nof the quay'],
    ['of digits alone, which may be a row of a table', '1 0 1 1', '1011 of the quay'],
    ['from right to left', '\u05e9 \u05dc \u05d5 \u05dd', '\u05dd\u05d5\u05dc\u05e9 of the quay'],
    ['that is not among the glyphs', 'T h e', 'of the quay'],
    ['of a page whose glyphs cannot be had', 'T h e', ''],
  ])('%s', (_, str, glyphs) => {
    const items = [item(str), item('of the quay')]
    expect(withoutLetterSpacing(items, glyphs)).toEqual(items)
  })
})

it('looks at glyphs only where single letters stand in a row', () => {
  expect(mayBeLetterSpaced([item('The quay'), item('T h e')])).toBe(true)
  expect(mayBeLetterSpaced([item('The quay of Velm'), item('a'), item('of a')])).toBe(false)
})

it('reads the glyphs of a file on Node 20, which lacks a method of buffers', async () => {
  const name = 'transferToFixedLength'
  const own = Object.getOwnPropertyDescriptor(ArrayBuffer.prototype, name)
  Reflect.deleteProperty(ArrayBuffer.prototype, name)
  let text = ''
  try {
    for await (const piece of parsePdf(new Uint8Array(await readFile(corpusFile('spaced.pdf')))))
      if ('text' in piece) text += piece.text
  } finally {
    Reflect.deleteProperty(ArrayBuffer.prototype, name)
    if (own) Object.defineProperty(ArrayBuffer.prototype, name, own)
  }
  expect(text).toContain('harbour master of Velm')
})
