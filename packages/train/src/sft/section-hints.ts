/**
 * Hints: targets inside a section and its question, only for training. An answer is right only if the reader does everything
 * right: match the names, judge the statement, find the value, copy it. From answers alone, matching takes thousands of steps
 * to learn, because nothing uses it yet; as a target of its own, it takes a hundred.
 */
import type { LessonEncoder } from './lesson-encoder.ts'
import type { Lesson, LessonQuestion } from './reading-lesson.ts'

export interface Hint {
  /** `token` is the target after this token of the section; a negative number counts tokens before the section. */
  readonly at: number
  readonly token: number
  readonly name: string
}

/** A section's text, its tokens, and the number of tokens up to a position (undefined inside a token). */
interface EncodedSection {
  readonly text: string
  readonly tokens: readonly number[]
  upTo(end: number): number | undefined
}

/**
 * @param tokens of the section @param sinceQuestion tokens between question and section. @default one each for the question's
 *   end and the section's beginning
 * @returns hints for one question, counted in tokens of the section
 */
export function sectionHints(
  lesson: Lesson,
  asked: LessonQuestion,
  tokens: readonly number[],
  encoder: LessonEncoder,
  sinceQuestion = 2,
): Hint[] {
  const text = lesson.section
  const section: EncodedSection = {
    text,
    tokens,
    upTo(end) {
      const prefix = encoder.plain(text.slice(0, end))
      return prefix.every((token, i) => token === tokens[i]) ? prefix.length : undefined
    },
  }
  return [
    ...echoes(section, asked),
    ...verdicts(section, lesson, asked, encoder),
    ...kinds(section, lesson, asked, encoder, sinceQuestion),
  ]
}

/** Where the section repeats the question's subject: each of its tokens but the first, predicted from the one before. */
function echoes(section: EncodedSection, { question, subject }: LessonQuestion): Hint[] {
  if (!question.includes(subject)) return []
  const found: Hint[] = []
  const { text, tokens } = section
  for (let at = text.indexOf(subject); at >= 0; at = text.indexOf(subject, at + subject.length)) {
    const first = startOf(section, at)
    const end = section.upTo(at + subject.length)
    if (first === undefined || end === undefined) continue
    for (let i = first; i + 1 < end; i++) found.push({ at: i, token: tokens[i + 1]!, name: 'echo' })
  }
  return found
}

/**
 * What each planted statement says about the question, as soon as that is clear: the first token of its value if it answers,
 * otherwise a token that means no.
 */
function verdicts(
  section: EncodedSection,
  { statements }: Lesson,
  { answeredBy }: LessonQuestion,
  encoder: LessonEncoder,
): Hint[] {
  const no = encoder.marked('<section>')[0]!
  return statements.flatMap(({ ends, valueStart }, index) => {
    const value = startOf(section, valueStart)
    if (value === undefined) return []
    const [token, name] = index === answeredBy ? [section.tokens[value]!, 'verdict-yes'] : [no, 'verdict-no']
    const places = new Set(ends.map(section.upTo).filter((end) => end !== undefined))
    return [...places].map((end) => ({ at: end - 1, token, name }))
  })
}

/**
 * The kind of fact asked for, after the question, and the kind that each statement told, one token after it: the reader must
 * compare these when two facts are about the same subject.
 */
function kinds(
  section: EncodedSection,
  { statements }: Lesson,
  { kind: asked }: LessonQuestion,
  encoder: LessonEncoder,
  sinceQuestion: number,
): Hint[] {
  const ofQuestion =
    asked === undefined ? [] : [{ at: -sinceQuestion, token: encoder.kindToken(asked), name: 'kind-asked' }]
  const ofStatements = statements.flatMap(({ ends, kind }) => {
    const after = section.upTo(ends.at(-1)!)
    if (kind === undefined || after === undefined || after >= section.tokens.length) return []
    return [{ at: after, token: encoder.kindToken(kind), name: 'kind-told' }]
  })
  return [...ofQuestion, ...ofStatements]
}

/** Index of the token that begins here; a space belongs to the following word. */
const startOf = ({ text, upTo }: EncodedSection, at: number) => upTo(text[at - 1] === ' ' ? at - 1 : at)
