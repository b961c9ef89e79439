/** The lenient verifier. */
import { expect, it } from 'vitest'
import { containsReference, lenientScore } from './lenient.ts'

it('wants the reference as whole words somewhere in the answer', () => {
  expect(containsReference('The code is 4711, I think.', '4711')).toBe(true)
  expect(containsReference('The code is 47110.', '4711')).toBe(false)
  expect(containsReference('Annabel Mott', 'Anna')).toBe(false)
  expect(containsReference('44 then 4', '4')).toBe(true)
  expect(containsReference('Mott', 'Anna Mott')).toBe(false)
  expect(containsReference('anything', '')).toBe(false)
  expect(containsReference('', 'x')).toBe(false)
})

it('wants a whole number, not a part of a version, a time or a sum', () => {
  for (const [answer, reference] of [
    ['release 3.1.5', '5'],
    ['release 3.1.5', '3'],
    ['release 3.1.5', '1.5'],
    ['at 10:30', '10'],
    ['at 10:30', '30'],
    ['1,250 crowns', '250'],
    ['1,250 crowns', '1'],
    ['12.50', '12.5'],
    ['v3.1', '3.1'],
    ["1'250 crowns", '250'],
    ['-4 degrees', '4'],
    ['it was (-12)', '12'],
    ['.5', '5'],
    ['It is .5 m.', '5'],
    ['it was (-.5)', '5'],
    ['0.5', '.5'],
    ['-.5', '.5'],
    ['1 250 crowns', '250'],
    ['1 250 000', '1 250'],
    ['1\u202f250,50', '250'],
    ['1.250,50', '1.250'],
    ['0,75 %', '75 %'],
    ['1/2', '2'],
    ['3½', '3'],
    ['3½', '31'],
    ['3 1/2 inches', '1/2'],
    ['10²', '10'],
    ['10²', '102'],
    ['10^5', '5'],
    ['1.2e-5', '5'],
    ['2.5 million', '2.5'],
  ] as const) {
    expect(containsReference(answer, reference), `${reference} in ${answer}`).toBe(false)
  }
  for (const [answer, reference] of [
    ['There are 5.', '5'],
    ['5: see above', '5'],
    ['5,6,7', '6'],
    ['1990,1991', '1991'],
    ['release 3.1.5', '3.1.5'],
    ['1,250 crowns', '1,250'],
    ['file.1', '1'],
    ['2017-18214', '18214'],
    ['-4 degrees', '-4'],
    ['gate A-4', '4'],
    ['Room: –4711', '4711'],
    ['notes:\n-4711\n-4712', '4711'],
    ['1990–1991', '1990–1991'],
    ['at –5 degrees', '–5'],
    ['It is .5 m.', '.5'],
    ['Yes.5 of them', '5'],
    ['so ...5', '5'],
    ['1 250 crowns', '1\u202f250'],
    ['3 1/2', '3½'],
    ['12/05/2024', '2024'],
    ['call 22 11 45', '11'],
    ['in 2020 250 came', '250'],
    ['0,1,2', '1'],
    ['lines #1 250', '250'],
    ['45\n123', '123'],
    ['212\n305\n418', '305'],
    ['Gate 4\r\n312', '312'],
    ['twenty\nfour', 'four'],
    ['45\n123', '45\n123'],
    ['a long\nwalk', 'a long walk'],
    ['COVID-19 250 cases', '250'],
    ['Q1 250', '250'],
    ['A4 210 mm', '210'],
    ['two hundred and three hundred', 'three hundred'],
    ['two hundred and three hundred', 'two hundred'],
  ] as const) {
    expect(containsReference(answer, reference), `${reference} in ${answer}`).toBe(true)
  }
})

it('wants a whole number in words, too', () => {
  for (const [answer, reference] of [
    ['twenty-four', 'four'],
    ['There were Twenty‑Four.', 'four'],
    ['twenty-four', 'twenty'],
    ['two hundred-and-four', 'four'],
    ['four-hundred', 'four'],
    ['one-hundred-twenty-four', 'twenty-four'],
    ['twenty four', 'four'],
    ['two hundred and four', 'four'],
    ['one million', 'one'],
    ['twenty-four days', 'four days'],
  ] as const) {
    expect(containsReference(answer, reference), `${reference} in ${answer}`).toBe(false)
  }
  for (const [answer, reference] of [
    ['It was four.', 'four'],
    ['a four-day trip', 'four'],
    ['twenty-four', 'twenty-four'],
    ['twenty-four, later four', 'four'],
    ['often-four', 'four'],
    ['Gate-Four', 'four'],
    ['dial two-one', 'two-one'],
    ['between two and four', 'four'],
    ['one, two, four', 'two'],
    ['four twenty-litre drums', 'four'],
    ['the twenty-fourth', 'twenty-fourth'],
  ] as const) {
    expect(containsReference(answer, reference), `${reference} in ${answer}`).toBe(true)
  }
  expect(lenientScore('twenty-four', ['4', 'four'], 'any')).toBe(0)
})

it('reads the numbers of a long answer once', () => {
  expect(containsReference('-4 '.repeat(20_000), '4')).toBe(false)
})

it('finds words in languages written without spaces', () => {
  expect(containsReference('首都是北京。', '北京')).toBe(true)
  expect(containsReference('答えは東京です', '東京')).toBe(true)
  expect(containsReference('เมืองหลวงคือกรุงเทพครับ', 'กรุงเทพ')).toBe(true)
  expect(containsReference('首都是上海。', '北京')).toBe(false)
})

it('gives the share of all references', () => {
  expect(lenientScore('1 and 2', ['1', '2', '3', '4'], 'all')).toBe(0.5)
  expect(lenientScore('2', ['1', '2'], 'any')).toBe(1)
  expect(lenientScore('2', [], 'all')).toBe(0)
})
