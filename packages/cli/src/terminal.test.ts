import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { printable, printableLines, printableText, printJson } from './terminal.ts'

/** Any text, with many characters that control a terminal or reorder text. */
const hostile = fc.string({
  unit: fc.oneof(
    fc.string({ unit: 'binary', maxLength: 1 }),
    fc.constantFrom(
      ...'\u001b\u007f\u0085\u009b\u009f\u061c\u200e\u200f\u2028\u2029\u202a\u202e\u2066\u2069\ud83d"\\',
    ),
  ),
})

describe('printable', () => {
  it('shows control characters instead of sending them, and drops what reorders text', () => {
    expect(printable('a\u001b[31mred\u0007 \u202etxet\u2066 b\ufeff')).toBe('a\\x1b[31mred\\x07 txet b')
    expect(printable('one\n\n two\t three')).toBe('one two three')
  })

  it('keeps the lines of a message and their indentation', () => {
    expect(printableLines('two\u001b[2J wrong:\n  a\r  b\n  c')).toBe('two\\x1b[2J wrong:\n  a b\n  c')
  })

  it('keeps the spaces and tabs of a text', () => {
    expect(printableText('\ta  b\u001b[2J\u202e\u2028c\t\r')).toBe('\ta  b\\x1b[2J c\t')
    fc.assert(
      fc.property(hostile, (text) => {
        const shown = printableText(text).replaceAll('\t', '')
        expect(shown).not.toMatch(/[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/u)
      }),
    )
  })

  it('removes every control character, and leaves ordinary text unchanged', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        expect(printable(text)).not.toMatch(/[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/u)
      }),
    )
    expect(printable('👩🏽\u200d🚀')).toBe('👩🏽\u200d🚀')
    expect(printable('می\u200cخواهم क्\u200dष')).toBe('می\u200cخواهم क्\u200dष')
    expect(printable('pass\u200dword\u200c \u{e0041}\u{e007f}a\u3164b')).toBe('password ab')
    expect(printable('Grüße, 世界 👩‍🚀 "quoted" <tag>')).toBe('Grüße, 世界 👩‍🚀 "quoted" <tag>')
  })
})

describe('printJson', () => {
  const printed = (value: unknown) => {
    let text = ''
    printJson({ write: (part) => (text += part) }, value)
    return text
  }

  it('contains nothing that steers a terminal, ends a line or reorders text, and parses to the same value', () => {
    fc.assert(
      fc.property(fc.dictionary(hostile, fc.array(hostile)), (value) => {
        const text = printed(value)
        expect(text).toMatch(/^[^\n]*\n$/)
        expect(text.slice(0, -1)).not.toMatch(/[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/u)
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)))
      }),
    )
  })

  it('leaves ordinary text readable', () => {
    expect(printed({ answer: 'Grüße, 世界 👩‍🚀' })).toBe('{"answer":"Grüße, 世界 👩‍🚀"}\n')
  })
})
