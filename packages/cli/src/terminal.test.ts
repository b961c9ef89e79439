import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { printable, printableLines } from './terminal.ts'

describe('printable', () => {
  it('shows control characters instead of sending them, and drops what reorders text', () => {
    expect(printable('a\u001b[31mred\u0007 \u202etxet\u2066 b\ufeff')).toBe('a\\x1b[31mred\\x07 txet b')
    expect(printable('one\n\n two\t three')).toBe('one two three')
  })

  it('keeps the lines of a message and what they are indented by', () => {
    expect(printableLines('two\u001b[2J wrong:\n  a\r  b\n  c')).toBe('two\\x1b[2J wrong:\n  a b\n  c')
  })

  it('leaves no control character in any text, and ordinary text alone', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(printable(text)).not.toMatch(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/u)
      }),
    )
    expect(printable('Grüße, 世界 👩‍🚀 "quoted" <tag>')).toBe('Grüße, 世界 👩🚀 "quoted" <tag>')
  })
})
