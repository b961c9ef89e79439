/** A quote from a chunk has its place in its own source, even next to the line breaks that join two sources. */
import { expect, test } from 'vitest'
import { LineCounter, placeOf, sourceTexts } from './source-text.ts'

const range = (source: string, startByte: number, endByte: number) => ({ source, startByte, endByte })

test.each([
  ['one source, with the line break that joins it with the next', 'sea\n', [range('a', 4, 7)], ['sea']],
  ['a line break of its own', 'sea\n', [range('a', 4, 8)], ['sea\n']],
  [
    'two sources, and the line break behind them',
    'sea\nländ\n',
    [range('a', 4, 7), range('b', 0, 5)],
    ['sea', 'länd'],
  ],
  ['UTF-16 and a line break', '\ufeffsea\n', [range('a', 0, 8)], ['\ufeffsea']],
])('%s', (_, text, ranges, wanted) => {
  const parts = sourceTexts({ text, ranges })
  expect(parts.map((part) => part.text)).toEqual(wanted)
  for (const [i, part] of parts.entries()) {
    const { startByte, endByte } = placeOf(part, 0, part.text.length)
    expect({ startByte, endByte }).toEqual({ startByte: ranges[i]!.startByte, endByte: ranges[i]!.endByte })
  }
  // Not the end of the whole part.
  expect(placeOf(parts[0]!, 1, 2).endByte).toBeLessThan(ranges[0]!.endByte)
})

test('counts lines on behind a first part of a byte or two, and anew in another source', () => {
  const counter = new LineCounter()
  const lineOf = (text: string, source: string, startByte: number) =>
    counter.count(sourceTexts({ text, ranges: [range(source, startByte, startByte + text.length)] })[0]!)
      .position
  expect(lineOf('#\n', 'log', 0)).toEqual({ line: 1 })
  expect(lineOf('a\nb\n', 'log', 2)).toEqual({ line: 2 })
  expect(lineOf('c\n', 'log', 6)).toEqual({ line: 4 })
  // After a byte order mark.
  expect(lineOf('d\n', 'other', 3)).toEqual({ line: 1 })
  expect(lineOf('e\n', 'other', 9)).toBeUndefined()
})
