import fc from 'fast-check'
import { expect, it } from 'vitest'
import { PackedList, packedList } from './packed-list.ts'

it('holds what was put into it, in whatever order it is looked at, through JSON and when more is added', () => {
  const sizes = fc.constantFrom(0, 1, 99, 100, 101, 1234)
  fc.assert(
    fc.property(sizes, sizes, fc.array(fc.nat({ max: 2500 }), { maxLength: 40 }), (size, more, looks) => {
      const all = Array.from({ length: size + more }, (_, i) => ({ i }))
      const list = new PackedList<{ i: number }>(
        JSON.parse(JSON.stringify(packedList(all.slice(0, size)).packed())),
      )
      for (const value of all.slice(size)) list.push(value)
      expect(list.length).toBe(all.length)
      expect(looks.map((index) => list.at(index))).toEqual(looks.map((index) => all[index]))
      expect([...list.entries()]).toEqual([...all.entries()])
      expect(list.at(-1)).toBeUndefined()
    }),
    { numRuns: 20 },
  )
})
