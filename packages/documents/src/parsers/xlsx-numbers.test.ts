import { expect, it } from 'vitest'
import { cellText, formatOf } from './xlsx-numbers.ts'
import { unitsOf } from './xlsx-units.ts'

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
  expect(cellText(cell('0.07'), { format: 'percent' })).toBe('7%')
  expect(cellText(cell('1234'), { format: 'digits 00000' })).toBe('01234')
  expect(cellText(cell('12345678'), { format: 'digits 000-00-0000' })).toBe('012-34-5678')
  expect(cellText(cell('12345678901'), { format: 'digits (00) 000' })).toBe('(12345678) 901')
  expect(cellText(cell('-5'), { format: 'digits 000' })).toBe('-5')
  expect(cellText(cell('1e21'), { format: 'digits 000-00' })).toBe('1e+21')
  expect(cellText(cell('', 'str', 'IF(B2="paid","","OVERDUE")'))).toBe('')
  expect(cellText({ ...cell('', 'str', 'A2&B2'), hasValue: false })).toBe('=A2&B2')
  expect(cellText(cell('1', 'b'))).toBe('TRUE')
  expect(cellText(cell('#DIV/0!', 'e'))).toBe('#DIV/0!')
  expect(cellText(cell('', 'n', 'A1+A2'))).toBe('=A1+A2')
  expect(cellText(cell('many'))).toBe('many')
})

it('shows days since 1900, with the day that was not, and since 1904', () => {
  expect(cellText(cell('1'), { format: 'date' })).toBe('1900-01-01')
  expect(cellText(cell('59'), { format: 'date' })).toBe('1900-02-28')
  expect(cellText(cell('61'), { format: 'date' })).toBe('1900-03-01')
  expect(cellText(cell('45292.75'), { format: 'date and time' })).toBe('2024-01-01 18:00:00')
  expect(cellText(cell('0'), { format: 'date' }, true)).toBe('1904-01-01')
  expect(cellText(cell('1.5'), { format: 'duration' })).toBe('36:00:00')
  expect(cellText(cell('45000.5625'), { format: 'time' })).toBe('13:30:00')
  expect(cellText(cell('-1'), { format: 'date' })).toBe('-1')
  expect(cellText(cell('9e99'), { format: 'date' })).toBe('9e+99')
})

it.each([
  ['"$"#,##0.00', '1234.5', '$1234.5'],
  ['"$"#,##0.00;("$"#,##0.00)', '-1234.5', '-$1234.5'],
  ['_-* #,##0.00\\ "€"_-;\\-* #,##0.00\\ "€"_-;_-* "-"??\\ "€"_-;_-@_-', '-5.5', '-5.5 €'],
  ['_-* #,##0.00\\ "€"_-;\\-* #,##0.00\\ "€"_-;_-* "-"??\\ "€"_-;_-@_-', '0', '0 €'],
  ['_("$"* #,##0.00_);_("$"* \\(#,##0.00\\);_("$"* "-"??_);_(@_)', '0', '$0'],
  ['_("$"* #,##0.00_);_("$"* \\(#,##0.00\\);_("$"* "-"??_);_(@_)', '-5', '-$5'],
  ['[$USD] #,##0', '7', 'USD 7'],
  ['#,##0 [$€-407]', '7', '7 €'],
  ['0" days"', '1', '1 days'],
  ['0.0,,"M"', '12345678', '12.345678M'],
  ['0,', '12000', '12000'],
  ['"Q"0', '3', 'Q3'],
  ['General "kg"', '2', '2 kg'],
  ['0"%"', '5', '5%'],
  ['0" Dr";0" Cr"', '-5', '5 Cr'],
  ['"yes";;"no"', '1', 'yes'],
  ['"yes";;"no"', '0', 'no'],
  ['"yes";;"no"', '-1', '-1'],
  ['#,##0.00;[Red]-#,##0.00', '-5', '-5'],
  ['[<1]0"p";0" GBP"', '5', '5'],
  ['#" ft "#" in"', '5', '5'],
  [`0"${'x'.repeat(50)}"`, '5', '5'],
])('%s shows %s as %s', (code, value, shown) => {
  const format = formatOf(code)
  expect(cellText(cell(value), { format, units: unitsOf(code) })).toBe(shown)
})
