import { describe, expect, it } from 'vitest'
import type { LessonEncoder } from './lesson-encoder.ts'
import type { Lesson, LessonQuestion } from './reading-lesson.ts'
import { sectionHints } from './section-hints.ts'

/** A token is a word with its leading space, or a punctuation mark; its id is its place in `words`. */
const words: string[] = ['<section>']
const encoder: LessonEncoder = {
  plain: (text) =>
    (text.match(/ ?\p{L}+| ?\d+|[^\p{L}\d]/gu) ?? []).map((word) => {
      if (!words.includes(word)) words.push(word)
      return words.indexOf(word)
    }),
  marked: (text) => [words.indexOf(text)],
  kindToken: (kind) => encoder.plain(` ${kind}`)[0]!,
}

const section = 'Red Fox Inn has 7 rooms. There are 9 rooms in Red Cat Inn.'
const at = (text: string) => section.indexOf(text)
const statements: Lesson['statements'] = [
  { ends: [at(' rooms.'), at(' There')], valueStart: at('7'), kind: 'rooms' },
  { ends: [section.length], valueStart: at('9'), kind: 'rooms' },
]

function hintsFor(subject: string, answeredBy: number | undefined, isKindTold = true) {
  const asked: LessonQuestion = {
    question: `How many rooms has ${subject}?`,
    kind: isKindTold ? 'rooms' : undefined,
    subject,
    answeredBy,
    turns: [],
  }
  const tokens = encoder.plain(section)
  return sectionHints({ section, statements, questions: [asked] }, asked, tokens, encoder).map(
    ({ at: index, token, name }) =>
      `${name}: ${index < 0 ? 'question' : words[tokens[index]!]} ->${words[token]}`,
  )
}
/** The second statement ends with the section, so nothing follows it. */
const kinds = ['kind-asked: question -> rooms', 'kind-told:  There -> rooms']

describe('sectionHints', () => {
  it('asks for the name where the section repeats it, and for the value where the statement answers', () => {
    expect(hintsFor('Red Cat Inn', 1)).toEqual([
      'echo:  Red -> Cat',
      'echo:  Cat -> Inn',
      // The first statement says no at the end of its value and at its own end; the other has its value before the name.
      'verdict-no:  7 -><section>',
      'verdict-no: . -><section>',
      'verdict-yes: . -> 9',
      ...kinds,
    ])
  })

  it('says no to everything when the name is not there', () => {
    expect(hintsFor('Blue Cat Inn', undefined)).toEqual([
      'verdict-no:  7 -><section>',
      'verdict-no: . -><section>',
      'verdict-no: . -><section>',
      ...kinds,
    ])
  })

  it('names no kind where words do not tell it', () => {
    expect(hintsFor('Blue Cat Inn', undefined, false).filter((hint) => hint.startsWith('kind'))).toEqual([
      kinds[1],
    ])
  })
})
