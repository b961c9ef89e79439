/**
 * Lessons to token batches. A group holds question and section once and the memories to start from as branches that see
 * them and themselves but not each other, so that one pass trains what separate conversations would train, exactly.
 * A row holds several groups, which do not see each other either.
 *
 * Response tokens carry loss, and so do a few tokens of the section that teach where to look (see `lessonGroups`); every
 * target of the batch weighs the same.
 */

import { ConfigurationError } from '@memagent/core'
import type { TrainingBatch } from '@memagent/engine'
import type { Lesson, PlantedStatement } from './reading-lesson.ts'

/** Turns text into tokens as inference does; `marked` text may contain control tokens and markers. */
export interface LessonEncoder {
  plain(text: string): number[]
  marked(text: string): number[]
}

export interface TrunkTarget {
  readonly at: number
  readonly token: number
  readonly name: string
}

/** A run of tokens that shares its beginning with `branches`; targets are counted in its own tokens. */
export interface Group {
  readonly trunk: readonly number[]
  /** Targets inside the trunk: after its token `at`, `token` is wanted. @default none */
  readonly trunkTargets?: readonly TrunkTarget[]
  readonly branches: readonly {
    readonly tokens: readonly number[]
    readonly responseStart: number
    readonly name: string
  }[]
}

/**
 * The conversations of a lesson, a group for every question: trunk = up to the end of the section, a branch a memory.
 * @returns none when the section has more than `maxSectionTokens`
 */
export function lessonGroups(lesson: Lesson, encoder: LessonEncoder, maxSectionTokens: number): Group[] {
  const section = encoder.plain(lesson.section)
  if (section.length > maxSectionTokens) return []
  const tokensUpTo = alignedPrefix(lesson.section, section, encoder)
  return lesson.questions.map((asked) => {
    const { question, subject, answeredBy, turns } = asked
    const before = [
      ...encoder.marked('<|user|><problem>'),
      ...encoder.plain(` ${question}`),
      ...encoder.marked('</problem><section>'),
    ]
    const targets = [
      ...(question.includes(subject) ? echoes(lesson.section, section, subject, tokensUpTo) : []),
      ...verdicts(section, lesson.section, lesson.statements, answeredBy, encoder, tokensUpTo),
    ]
    return {
      trunk: [...before, ...section],
      trunkTargets: targets.map((target) => ({ ...target, at: before.length + target.at })),
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

/** Tokens that make up the text up to a place; undefined where a token reaches over it. */
function alignedPrefix(text: string, tokens: readonly number[], encoder: LessonEncoder) {
  return (end: number): number | undefined => {
    const prefix = encoder.plain(text.slice(0, end))
    return prefix.every((token, i) => token === tokens[i]) ? prefix.length : undefined
  }
}

/**
 * Where a section repeats a name of the question: every token of the name but the first. Predicting them is what teaches a
 * model to find in a section the words that it was asked about, long before answers reward it.
 */
function echoes(
  text: string,
  tokens: readonly number[],
  name: string,
  tokensUpTo: (end: number) => number | undefined,
): TrunkTarget[] {
  const found: TrunkTarget[] = []
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + name.length)) {
    // A space belongs to the word behind it.
    const before = tokensUpTo(text[at - 1] === ' ' ? at - 1 : at)
    const upTo = tokensUpTo(at + name.length)
    if (before === undefined || upTo === undefined) continue
    for (let i = before; i + 1 < upTo; i++) found.push({ at: i, token: tokens[i + 1]!, name: 'echo' })
  }
  return found
}

/**
 * What a planted statement says to the question, wanted where it can be told (at its end; at its value, when the subject
 * stands before it): the first token of the value when it answers, a token that says no when it does not. A reader that
 * has this at the place itself needs only to look for it when it writes the memory.
 */
function verdicts(
  tokens: readonly number[],
  text: string,
  statements: readonly PlantedStatement[],
  answeredBy: number | undefined,
  encoder: LessonEncoder,
  tokensUpTo: (end: number) => number | undefined,
): TrunkTarget[] {
  const no = encoder.marked('<section>')[0]!
  return statements.flatMap(({ ends, valueStart }, index) => {
    const isAnswer = index === answeredBy
    const before = tokensUpTo(text[valueStart - 1] === ' ' ? valueStart - 1 : valueStart)
    const token = isAnswer ? (before === undefined ? undefined : tokens[before]) : no
    if (token === undefined) return []
    const places = new Set(ends.map(tokensUpTo).filter((end) => end !== undefined))
    return [...places].map((end) => ({ at: end - 1, token, name: isAnswer ? 'verdict-yes' : 'verdict-no' }))
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

/** Random tokens, then the same again: what teaches a model to look up content instead of position. */
export function copyGroup(tokens: readonly number[], times: number): Group {
  const all = Array.from({ length: times }, () => tokens).flat()
  return { trunk: [], branches: [{ tokens: all, responseStart: tokens.length + 1, name: 'copy' }] }
}

export const groupLength = (group: Group) =>
  group.trunk.length + group.branches.reduce((sum, branch) => sum + branch.tokens.length, 0)

export interface PackedBatch extends TrainingBatch {
  readonly rows: number
  readonly rowLength: number
  /** One per response: its first target, the end of its targets, and what it was for. */
  readonly responses: readonly { readonly from: number; readonly to: number; readonly name: string }[]
}

/**
 * Lays groups into rows of one length, first fit in the order given.
 * @param rowLength multiple of 64 keeps the number of compiled shapes small
 * @throws ConfigurationError when a group is longer than a row
 */
export function packGroups(groups: readonly Group[], rowLength: number): PackedBatch {
  const rows: { groups: Group[]; used: number }[] = []
  for (const group of groups) {
    const length = groupLength(group)
    if (length > rowLength) {
      throw new ConfigurationError({
        code: 'train/row-too-short',
        message: `A lesson of ${length} tokens does not fit a row of ${rowLength}.`,
        hint: 'Raise rowTokens, or lower sectionTokens or questions.',
      })
    }
    const row = rows.find(({ used }) => used + length <= rowLength)
    if (row) {
      row.groups.push(group)
      row.used += length
    } else rows.push({ groups: [group], used: length })
  }
  const size = rows.length * rowLength
  const batch = {
    tokens: new Int32Array(size),
    positions: new Int32Array(size),
    group: new Int32Array(size).fill(-1),
    branch: new Int32Array(size),
  }
  const targetRows: number[] = []
  const targets: number[] = []
  const responses: { from: number; to: number; name: string }[] = []
  rows.forEach((row, r) => {
    let at = r * rowLength
    row.groups.forEach((group, g) => {
      const place = (token: number, position: number, branch: number) => {
        batch.tokens[at] = token
        batch.positions[at] = position
        batch.group[at] = g
        batch.branch[at] = branch
        at++
      }
      for (const target of group.trunkTargets ?? []) {
        responses.push({ from: targets.length, to: targets.length + 1, name: target.name })
        targetRows.push(at + target.at)
        targets.push(target.token)
      }
      group.trunk.forEach((token, i) => {
        place(token, i, 0)
      })
      group.branches.forEach((branch, b) => {
        const from = targets.length
        branch.tokens.forEach((token, i) => {
          if (i >= branch.responseStart) {
            targetRows.push(at - 1)
            targets.push(token)
          }
          place(token, group.trunk.length + i, b + 1)
        })
        responses.push({ from, to: targets.length, name: branch.name })
      })
    })
  })
  return {
    ...batch,
    rows: rows.length,
    rowLength,
    targetRows: Int32Array.from(targetRows),
    targets: Int32Array.from(targets),
    coefficients: new Float32Array(targets.length).fill(1 / targets.length),
    responses,
  }
}
