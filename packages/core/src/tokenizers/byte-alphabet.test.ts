import { expect, it } from 'vitest'
import { byteAlphabet } from './byte-alphabet.ts'

it('is the printable alphabet of GPT-2', () => {
  const alphabet = byteAlphabet()
  expect(new Set(alphabet).size).toBe(256)
  expect([alphabet[32], alphabet[10], alphabet[65], alphabet[173]]).toEqual(['Ġ', 'Ċ', 'A', 'Ń'])
})
