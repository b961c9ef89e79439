import { expect, it } from 'vitest'
import { pageText, type TextItem } from './pdf-lines.ts'

const wrapped = 'The keeper counted the lamps of the quay and found that one of them was'
/** A line at a height, in letters of width 5. */
const line = (str: string, y: number, x = 50): TextItem => ({
  str,
  dir: /[\u0590-\u08ff\ufb1d-\ufefc]/.test(str) ? 'rtl' : 'ltr',
  transform: [10, 0, 0, 10, x, y],
  width: str.length * 5,
  height: 10,
  hasEOL: true,
})

it('joins a line that is full with the next of its paragraph', () => {
  expect(pageText([line(wrapped, 700), line('missing.', 688), line('It was never found.', 660)])).toBe(
    `${wrapped} missing.\n\nIt was never found.`,
  )
})

it('has text once that is printed twice to make it bold or give it a shadow', () => {
  const at = (str: string, x: number, y = 700) => ({ ...line(str, y, x), hasEOL: false })
  const twice = [at('Rent', 50), at('Rent', 50.4), at('500', 200), at('500', 201, 699)]
  expect(pageText(twice)).toBe('Rent\t500')
  expect(pageText([at('5', 50), at('5', 55), at('.', 60), at('.', 62.4)])).toBe('55..')
})

it('keeps lines of lists, of tables and those where the next word would have fitted', () => {
  const item = `- ${wrapped}`
  expect(pageText([line(item, 700), line(item, 688)])).toBe(`${item}\n${item}`)
  const short = 'The keeper counted the lamps of the quay.'
  expect(pageText([line(short, 700), line('Then', 688), line(wrapped, 676)])).toBe(
    `${short}\nThen\n${wrapped}`,
  )
  const cells = [
    { ...line('A lamp of the northern quay', 700), hasEOL: false },
    line('and its number, 417', 700, 330),
  ]
  const row = 'A lamp of the northern quay\tand its number, 417'
  expect(pageText([...cells, line('Other', 688)])).toBe(`${row}\nOther`)
})

it('leaves a hyphen at the end alone, and takes a soft one away', () => {
  expect(pageText([line(`${wrapped} miss-`, 700), line('ing.', 688)])).toBe(`${wrapped} miss-\ning.`)
  expect(pageText([line(`${wrapped} miss\u00ad`, 700), line('ing.', 688)])).toBe(`${wrapped} missing.`)
})

it('does not make a number of a number and its power or note', () => {
  const part = (str: string, x: number, raised = 0): TextItem => ({
    ...line(str, 700 + raised, x),
    ...(raised === 0 ? {} : { height: 7 }),
    hasEOL: false,
  })
  const parts = [
    part('10', 50),
    part('6', 60, 4),
    part(' m', 65),
    part('2', 75, 4),
    part(' in 5.', 80),
    part('3', 110, 4),
  ]
  expect(pageText(parts)).toBe('10^6 m2 in 5.^3')
  // A subscript, and smaller letters on the baseline.
  expect(pageText([part('10', 50), part('2', 60, -3), { ...part(' 11', 65), height: 7 }])).toBe('102 11')
})

/** Pieces of a line from left to right, as they are placed; `\t` is a wide gap. */
const lineOf = (y: number, ...parts: string[]) => {
  let x = 50
  return parts.flatMap((part, i): readonly TextItem[] => {
    const start = x
    x += part === '\t' ? 100 : part.length * 5
    return part === '\t' ? [] : [{ ...line(part, y, start), hasEOL: i === parts.length - 1 }]
  })
}

it('has Arabic and Hebrew in the order in which they are read, and numbers and other words as they are', () => {
  // As Chromium prints it: each letter of a word on its own, in its form for that place.
  const arabic = ['.', 'رس', 'ﺎ', 'ﺤ', 'ﻟ', 'ا', ' ', 'ﺪ', 'ﻨ', 'ﻋ', ' ', '4711', ' ', 'ﻮ', 'ﻫ']
  expect(pageText(lineOf(700, ...arabic))).toBe('هو 4711 عند الحارس.')
  const hebrew = [
    '.1923',
    ' ',
    'שנת',
    ' - ',
    '1,250',
    ' ',
    ')הים(',
    ' ',
    'Bank (Oslo)',
    ' ',
    'לפי',
    ' ',
    'המחיר',
  ]
  expect(pageText(lineOf(700, ...hebrew))).toBe('המחיר לפי Bank (Oslo) (הים) 1,250 - שנת 1923.')
  expect(pageText(lineOf(700, 'חיפה', '\t', '42', '\t', 'דוד'))).toBe('דוד\t42\tחיפה')
  expect(pageText(lineOf(700, 'The word ', 'עולם', ' ', 'שלום', ' is 2 words.'))).toBe(
    'The word שלום עולם is 2 words.',
  )
  // Whatever their order in the file.
  const backwards = lineOf(700, 'כהן', ' ', 'דוד')
    .reverse()
    .map((item, i) => ({ ...item, hasEOL: i === 2 }))
  expect(pageText(backwards)).toBe('דוד כהן')
})

it('joins full lines from right to left, which end at the left', () => {
  const words = Array(15).fill('שלום')
  const full = (y: number): readonly TextItem[] => [line(words.join(' '), y)]
  const rest = line('עולם.', 688, 50 + 5 * (words.join(' ').length - 5))
  expect(pageText([...full(700), rest])).toBe(`${words.join(' ')} עולם.`)
  expect(pageText([...full(700), { ...rest, transform: [10, 0, 0, 10, 50, 688] }])).toBe(
    `${words.join(' ')}\nעולם.`,
  )
})

it('keeps the columns of tables on their side, on pages of either direction', () => {
  const ltr = [
    ...lineOf(700, 'Name', '\t', 'Local name', '\t', 'Amount'),
    ...lineOf(686, 'Al', '\t', 'משהארוכ', '\t', '25.00'),
    ...lineOf(672, '12', '\t', 'שלום', '\t', '-7'),
  ]
  expect(pageText(ltr)).toBe('Name\tLocal name\tAmount\nAl\tמשהארוכ\t25.00\n12\tשלום\t-7')
  const rtl = [
    ...lineOf(700, 'סכום', '\t', 'מקום', '\t', 'שם'),
    ...lineOf(686, '1,250-', '\t', 'Oslo', '\t', 'דוד'),
    ...lineOf(672, '7', '\t', 'Rome', '\t', '12'),
  ]
  expect(pageText(rtl)).toBe('שם\tמקום\tסכום\nדוד\tOslo\t-1,250\n12\tRome\t7')
})

it('turns brackets round only in pieces from right to left', () => {
  const mixed = { ...line('The firm שלום עולם (the "Buyer") pays.', 700), dir: 'ltr' }
  expect(pageText([mixed])).toBe(mixed.str)
  const rtl = (str: string) => pageText([{ ...line(str, 700), dir: 'rtl' }])
  expect(rtl('שלום )עולם(.')).toBe('שלום (עולם).')
  expect(rtl('שלום Bank (Oslo) Ltd עולם')).toBe('שלום Bank (Oslo) Ltd עולם')
  expect(rtl('שלום עולם abc) 1998(.')).toBe('שלום עולם (abc) 1998.')
})

it('leaves a line from left to right with many other letters as it is, and brackets with their partner', () => {
  const parts = ['See ', 'אבגדהוזחט', ' (5) and ', 'כלמנסעפצק']
  expect(pageText(lineOf(700, ...parts))).toBe(parts.join(''))
  const text = 'שלום '.repeat(8).trim()
  expect(pageText([line(text, 714), ...lineOf(700, 'עולם', ' (5) and ', 'שלום')])).toBe(
    `${text}\nשלום (5) and עולם`,
  )
  const english = [line(text, 714), ...lineOf(700, 'The word ', 'שלום', ' means (5) peace.')]
  expect(pageText(english)).toBe(`${text}\nThe word שלום means (5) peace.`)
})

it('keeps the signs of numbers and names at their side', () => {
  expect(pageText(lineOf(700, '-1,250', '\t', 'מחיר'))).toBe('מחיר\t-1,250')
  expect(pageText(lineOf(700, '+972-3-1234567', ' :', 'טלפון'))).toBe('טלפון: +972-3-1234567')
  expect(pageText([line('שלום', 714), ...lineOf(700, '.', 'C++', ' ', 'שפת')])).toBe('שלום\nשפת C++.')
  expect(pageText(lineOf(700, 'עולם', ' ', '5-', 'ב'))).toBe('ב-5 עולם')
  expect(pageText(lineOf(700, 'חיפה', '-5'))).toBe('5-חיפה')
})
