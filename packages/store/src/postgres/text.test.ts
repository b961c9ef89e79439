import fc from 'fast-check'
import { expect, it } from 'vitest'
import { original, writable } from './text.ts'

const hostileText = fc.string({
  unit: fc.oneof(
    fc.constantFrom('\0', '\ud800', '\udc00', '\ufdd0', '0', 'a', '\\'),
    fc.string({ unit: 'binary', maxLength: 1 }),
  ),
})

it('makes every text one that Postgres takes, and gives it back', () => {
  fc.assert(
    fc.property(hostileText, (text) => {
      const written = writable(text)
      expect(Buffer.from(written).toString()).toBe(written)
      expect(written).not.toContain('\0')
      expect(original(written)).toBe(text)
    }),
    { numRuns: 1000 },
  )
})

it('changes no usual text', () => {
  for (const text of ['', 'Møn 🗼', '\n\t\u001b', '\uffff']) expect(writable(text)).toBe(text)
})
