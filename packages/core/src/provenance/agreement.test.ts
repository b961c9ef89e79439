/** What must agree between an answer and its passage, and what need not. */
import { expect, test } from 'vitest'
import { Tracer } from './tracer.ts'

function verdictsOf(text: string, answer: string): readonly string[] {
  const tracer = new Tracer('What is it?')
  const endByte = Buffer.byteLength(text)
  tracer.addChunk({ ordinal: 0, text, tokens: 1, ranges: [{ source: 'a.txt', startByte: 0, endByte }] })
  tracer.addMemory(0, text, '')
  return tracer.provenanceOf(text, answer).answer!.map(({ verdict }) => verdict)
}

const gates = 'The North Gate has the code 111. The South Gate has the code 222.'
const account = 'The account number of Ann Hale is 4915123456789.'
const order = 'The order is 49151234567891234567.'

test.each([
  ['every digit of a long number', account, '4915123456789', '4915123456001'],
  ['those of one that no number holds exactly', order, '49151234567891234567', '49151234567891234568'],
  ['the half of the world in a name', gates, 'South Gate: 222', 'North Gate: 222'],
  ['that of each in a list', gates, 'North Gate: 111, South Gate: 222', 'North Gate: 222, South Gate: 111'],
  ['old and new', 'The New Bridge was built in 1914.', 'New Bridge: 1914', 'Old Bridge: 1914'],
  ['a word with its opposite', 'The gate is closed.', 'closed', 'open'],
  ['the side of a score', 'They won 3-1 on Sunday.', '3-1', '1-3'],
  ['the side of a ratio', 'Sand to lime is 3:1.', 'Sand to lime is 3:1.', 'Sand to lime is 1:3.'],
  ['upper and lower', 'His blood pressure was 120/80.', '120/80', '80/120'],
  ['which is the number of what', 'Room 12 costs 80 marks.', 'Room 12: 80 marks', 'Room 80 costs 12 marks.'],
  ['what a code is of', 'The code of gate 3 is 48213.', '48213', 'The code of gate 48213 is 3.'],
  ['leading zeros', 'The code is 0048.', '0048', '48'],
  ['cents behind thousands', 'The bill is 1,250.50 EUR.', '1250.50 EUR', '1,250 EUR'],
  ['the same in German', 'Die Rechnung ist 1.250,50 EUR.', '1,250.50 EUR', '1.250 EUR'],
  ['the same with a space', 'La facture est de 1 250,50 EUR.', '1250,50 EUR', '250,50 EUR'],
  ['the half behind a number', 'The board is 3½ inches wide.', '3.5 inches', '3 inches'],
  ['the same in two digits', 'The board is 3 1/2 inches wide.', '3½ inches', '2 inches'],
  ['the letter behind a number', 'Gate 4A is open.', 'Gate 4A', 'Gate 4'],
  ['a unit with an unknown one', 'She takes 5 mg a day.', '5 mg a day', '5 µg a day'],
  ['an unknown unit with a known one', 'She takes 5 tablets a day.', '5 tablets a day', '5 mg a day'],
  ['the digits of a version', 'It ran version 1.10.', '1.10', 'Version 1.1'],
])('%s', (_, text, right, wrong) => {
  expect(verdictsOf(text, right).every((verdict) => verdict === 'found')).toBe(true)
  expect(verdictsOf(text, wrong)).toContain('not-found')
})

test('a comma inside a number does not part it', () => {
  expect(verdictsOf('There was 1 keeper in May. The toll is 200 marks a year.', '1,200 marks')).toEqual([
    'not-found',
  ])
  expect(verdictsOf('The toll is 1,200 marks a year.', '1,200 marks')).toEqual(['found'])
})

test.each([
  ['The toll is 12,345,678.5 marks.', '12345678.50 marks'],
  ['The soup took ½ hour.', '30 minutes'],
  ['The soup took ½ hour.', 'half an hour'],
  ['The server 192.168.100.25 was down.', '192.168.100.25'],
  ['He came on 05 January 1923.', '5 January 1923'],
  ['The price was 1.50 marks.', '1.5 marks'],
  ['The codes are 5, 7 and 9.', '9, 7, 5'],
  ['The total figure 2.50 was reported.', '2.5'],
  ['A total of 1,234,567,890,123,456 bytes were written.', '1234567890123456 bytes'],
  ['There were 000 errors.', 'There were no errors.'],
  ['It ran version 2.0.', 'version 2'],
  ['The codes are 4471 and 9923.', '4471,9923'],
  ['The port changed from 8080 to 9090.', 'The port changed to 9090 (from 8080).'],
  ['The gate is closed.', 'The gate is not open.'],
  ['The rent rises from 45 pounds to 52 pounds.', 'The rent is 52 instead of 45 pounds.'],
  ['The fuse is 10A.', 'The fuse is 10 A.'],
  ['It draws 13 A.', 'It draws 13A.'],
])('another form need not agree: %s', (text, answer) => {
  expect(verdictsOf(text, answer).every((verdict) => verdict === 'found')).toBe(true)
})
