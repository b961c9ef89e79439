/**
 * Turns lessons into tokens: the conversations of a reading, each exactly as inference renders it. A group holds their
 * shared question and section once, and the starting memories as branches.
 */
import type { LessonEncoder } from './lesson-encoder.ts'
import type { Lesson } from './reading-lesson.ts'
import { type Hint, sectionHints } from './section-hints.ts'

/** A run of tokens that shares its beginning with `branches`; targets are counted in its own tokens. */
export interface Group {
  readonly trunk: readonly number[]
  /** Targets inside the trunk. @default none */
  readonly hints?: readonly Hint[]
  readonly branches: readonly {
    readonly tokens: readonly number[]
    readonly responseStart: number
    readonly name: string
  }[]
}

/**
 * The conversations of a lesson, a group for every question: the trunk ends with the section, each memory is a branch.
 * @returns none when the section has more than `maxSectionTokens`
 */
export function lessonGroups(lesson: Lesson, encoder: LessonEncoder, maxSectionTokens: number): Group[] {
  const section = encoder.plain(lesson.section)
  if (section.length > maxSectionTokens) return []
  return lesson.questions.map((asked) => {
    const { question, turns } = asked
    const before = [
      ...encoder.marked('<|user|><problem>'),
      ...encoder.plain(` ${question}`),
      ...encoder.marked('</problem><section>'),
    ]
    return {
      trunk: [...before, ...section],
      hints: sectionHints(lesson, asked, section, encoder).map((hint) => ({
        ...hint,
        at: before.length + hint.at,
      })),
      branches: turns.map(({ memory, response, case: name }) => {
        const prompt = [
          ...encoder.marked('</section><memory>'),
          ...encoder.plain(` ${memory}`),
          ...encoder.marked('</memory><|assistant|>'),
        ]
        return {
          tokens: [...prompt, ...encoder.plain(response), ...encoder.marked('<|end|>')],
          responseStart: prompt.length,
          name,
        }
      }),
    }
  })
}

/** The final conversation: question and memory in, boxed answer out. */
export function answerGroup(
  parts: { readonly question: string; readonly memory: string; readonly answer: string },
  encoder: LessonEncoder,
): Group {
  const prompt = [
    ...encoder.marked('<|user|><problem>'),
    ...encoder.plain(` ${parts.question}`),
    ...encoder.marked('</problem><memory>'),
    ...encoder.plain(` ${parts.memory}`),
    ...encoder.marked('</memory><|assistant|>'),
  ]
  const tokens = [
    ...prompt,
    ...encoder.marked('\\boxed{'),
    ...encoder.plain(` ${parts.answer}`),
    ...encoder.marked('}<|end|>'),
  ]
  return { trunk: [], branches: [{ tokens, responseStart: prompt.length, name: 'answer' }] }
}

/** Random tokens, then the same again: teaches a model to look up content instead of position. */
export function copyGroup(tokens: readonly number[], times: number): Group {
  const all = Array.from({ length: times }, () => tokens).flat()
  return { trunk: [], branches: [{ tokens: all, responseStart: tokens.length + 1, name: 'copy' }] }
}

export const groupLength = (group: Group) =>
  group.trunk.length + group.branches.reduce((sum, branch) => sum + branch.tokens.length, 0)
