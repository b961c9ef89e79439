import { expect, it } from 'vitest'
import { pageText, type TextItem } from './pdf-lines.ts'

const wrapped = 'The keeper counted the lamps of the quay and found that one of them was'
/** A line at a height, in letters of width 5. */
const line = (str: string, y: number, x = 50): TextItem => ({
  str,
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
  // An index, and small letters on the line.
  expect(pageText([part('10', 50), part('2', 60, -3), { ...part(' 11', 65), height: 7 }])).toBe('102 11')
})
