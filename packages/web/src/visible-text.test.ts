import { expect, it } from 'vitest'
import { visible } from './visible-text.ts'

it('shows what hides or reorders, and leaves what is spelling', () => {
  expect(visible('a\u202eb\u200f\u{e0041}\u3164')).toBe('a⟨U+202E⟩b⟨U+200F⟩⟨U+E0041⟩⟨U+3164⟩')
  const words = 'می\u200cخواهم 👩\u200d🚀\tGrüße\n'
  expect(visible(words)).toBe(words)
})
