import { expect, it } from 'vitest'
import { cellText, formatOf } from './xlsx-numbers.ts'

it.each([
  ['General', 'number'],
  ['#,##0.00 "days"', 'number'],
  ['[Red]0.0;[Blue]-0.0', 'number'],
  ['0.00%', 'percent'],
  ['d mmmm yyyy;@', 'date'],
  ['[$-409]mmm\\-yy', 'date'],
  ['mmm', 'date'],
  ['h:mm AM/PM', 'time'],
  ['[h]:mm', 'duration'],
  ['00000', 'digits 00000'],
  ['"No. "00000_);(0)', 'digits 00000'],
  ['000\\-00"-"0000', 'digits 000-00-0000'],
  ['[$-409](000) 000-0000', 'digits (000) 000-0000'],
  ['[<=9999999]###-####;(###) ###-####', 'number'],
  ['0.00', 'number'],
  ['yyyy-mm-dd hh:mm', 'date and time'],
])('%s is a %s', (code, format) => {
  expect(formatOf(code)).toBe(format)
})

const cell = (value: string, type = 'n', formula = '') => ({ value, type, formula, hasValue: true, style: 0 })

it('shows numbers as Excel does', () => {
  expect(cellText(cell('0.30000000000000004'))).toBe('0.3')
  expect(cellText(cell('0.07'), 'percent')).toBe('7%')
  expect(cellText(cell('1234'), 'digits 00000')).toBe('01234')
  expect(cellText(cell('12345678'), 'digits 000-00-0000')).toBe('012-34-5678')
  expect(cellText(cell('12345678901'), 'digits (00) 000')).toBe('(12345678) 901')
  expect(cellText(cell('-5'), 'digits 000')).toBe('-5')
  expect(cellText(cell('1e21'), 'digits 000-00')).toBe('1e+21')
  expect(cellText(cell('', 'str', 'IF(B2="paid","","OVERDUE")'))).toBe('')
  expect(cellText({ ...cell('', 'str', 'A2&B2'), hasValue: false })).toBe('=A2&B2')
  expect(cellText(cell('1', 'b'))).toBe('TRUE')
  expect(cellText(cell('#DIV/0!', 'e'))).toBe('#DIV/0!')
  expect(cellText(cell('', 'n', 'A1+A2'))).toBe('=A1+A2')
  expect(cellText(cell('many'))).toBe('many')
})

it('shows days since 1900, with the day that was not, and since 1904', () => {
  expect(cellText(cell('1'), 'date')).toBe('1900-01-01')
  expect(cellText(cell('59'), 'date')).toBe('1900-02-28')
  expect(cellText(cell('61'), 'date')).toBe('1900-03-01')
  expect(cellText(cell('45292.75'), 'date and time')).toBe('2024-01-01 18:00:00')
  expect(cellText(cell('0'), 'date', true)).toBe('1904-01-01')
  expect(cellText(cell('1.5'), 'duration')).toBe('36:00:00')
  expect(cellText(cell('45000.5625'), 'time')).toBe('13:30:00')
  expect(cellText(cell('-1'), 'date')).toBe('-1')
  expect(cellText(cell('9e99'), 'date')).toBe('9e+99')
})
