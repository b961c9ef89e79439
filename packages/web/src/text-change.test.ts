import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { differenceOf } from './difference.ts'
import { changed, changeOf } from './text-change.ts'
import { piecesOf } from './text-pieces.ts'

describe('a change', () => {
  it('holds what is new, and counts the rest', () => {
    const before = 'The keeper is Ann.\nThe lamp burns paraffin.\nThe sea is cold.'
    const after = 'The keeper is Ann.\nThe lamp burns gas.\nThe sea is cold.'
    expect(changeOf(before, after)).toEqual([19, -24, 'The lamp burns gas.', 17])
    expect(changeOf(before, before)).toBeUndefined()
  })

  it('replaces texts that have too little in common to look for it', () => {
    const lines = (word: string) =>
      Array.from({ length: 3000 }, (_, i) => `${word} ${i}\n\n`.repeat(1)).join('')
    const [before, after] = [lines('a'), lines('b')]
    expect(changed(before, changeOf(before, after)!)).toBe(after)
  })
})

const memory = fc
  .array(
    fc.oneof(fc.constantFrom('Ann came. ', 'Bob went.\n', '\n', '- a', ' B', '😀', '\r\n'), fc.string()),
    { maxLength: 12 },
  )
  .map((parts) => parts.join(''))

describe('properties', () => {
  it('pieces join to the text', () => {
    fc.assert(fc.property(memory, (text) => piecesOf(text).join('') === text))
  })

  it('a change makes the text after of the text before', () => {
    fc.assert(
      fc.property(memory, memory, (before, after) => {
        const change = changeOf(before, after)
        expect(change === undefined ? before : changed(before, change)).toBe(after)
      }),
    )
  })

  it('the parts of a difference join to both texts', () => {
    fc.assert(
      fc.property(memory, memory, (before, after) => {
        const parts = differenceOf(before, after)
        const without = (kind: string) => parts.map((part) => (part.kind === kind ? '' : part.text)).join('')
        expect([without('added'), without('removed')]).toEqual([before, after])
        expect(parts.every(({ text }) => text !== '')).toBe(true)
      }),
    )
  })
})
