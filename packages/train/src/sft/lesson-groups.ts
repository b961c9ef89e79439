/**
 * Turns lessons into tokens: the conversations of a reading, each exactly as inference renders it. A group holds the shared
 * question and section once, and the starting memories as branches.
 */
import { promptsFor } from '@memagent/core'
import type { NotedLines } from '@memagent/tasks'
import { groupLength, type TokenGroup } from '../pack-rows.ts'
import type { LessonEncoder } from './lesson-encoder.ts'
import type { Lesson, LessonTurn } from './reading-lesson.ts'
import { isSame, type ResponseWriter } from './response-writers.ts'
import { sectionHints } from './section-hints.ts'

/** Its branches and hints have the names of their cases. */
export type Group = TokenGroup<{ readonly name: string }>

/** How text becomes tokens, and memories responses. */
export interface LessonForm {
  readonly encoder: LessonEncoder
  readonly writer: ResponseWriter
}

/**
 * The conversations of a lesson. If the prompt shows the memory after the section, each question has one group: the trunk
 * ends with the section, and each memory is a branch. Otherwise each memory has a group.
 * @returns none if the section has more than `maxSectionTokens`
 */
export function lessonGroups(
  lesson: Lesson,
  { encoder, writer }: LessonForm,
  maxSectionTokens: number,
): Group[] {
  const section = encoder.plain(lesson.section)
  if (section.length > maxSectionTokens) return []
  const [head, tail] = compactTemplate(writer, writer.template).split('{section}') as [string, string]
  return lesson.questions.flatMap((asked) => {
    const { question } = asked
    const turns = asked.turns.filter((turn) => !writer.readsAlone || linesOf(turn)[0].size === 0)
    if (turns.length === 0) return []
    const conversations = turns.map((turn) => {
      const [memory, after] = linesOf(turn)
      const parts = { question, memory: writer.shown(memory), ...writer.otherParts }
      const prompt = encoder.marked(`${fill(tail, parts)}<|assistant|>`)
      const written = writer.copiesSpacing ? turn.response : writer.update(memory, after)!
      const response = encoder.plain(written)
      return {
        before: encoder.marked(`<|user|>${fill(head, parts)}`),
        branch: {
          tokens: [...prompt, ...response, ...encoder.marked('<|end|>')],
          responseStart: prompt.length,
          name: turn.case,
        },
      }
    })
    const merges = turns.flatMap((turn) => mergeGroup(question, turn, { encoder, writer }))
    const { before } = conversations[0]!
    const hints = (start: number, sinceQuestion?: number) =>
      sectionHints(lesson, asked, section, encoder, sinceQuestion).map((hint) => ({
        ...hint,
        at: start + hint.at,
      }))
    if (!head.includes('{memory}')) {
      const branches = conversations.map(({ branch }) => branch)
      return [{ trunk: [...before, ...section], hints: hints(before.length), branches }, ...merges]
    }
    const upToQuestion = encoder.marked(
      `<|user|>${fill(head.split('{memory}')[0]!.split('</problem>')[0]!, { question })}`,
    )
    const groups = conversations.map(({ before, branch }) => ({
      trunk: [...before, ...section],
      hints: hints(before.length, before.length - upToQuestion.length),
      branches: [branch],
    }))
    return [...groups, ...merges]
  })
}

/** If the workflow reports news: the conversation that merges them into the memory. */
function mergeGroup(question: string, turn: LessonTurn, { encoder, writer }: LessonForm): Group[] {
  const [before, after] = linesOf(turn)
  if (!writer.merge || isSame(before, after)) return []
  const { reports, response } = writer.merge(before, after)
  const parts = { question, memory: writer.shown(before), section: reports }
  const prompt = encoder.marked(`<|user|>${fill(compactTemplate(writer, 'merge'), parts)}<|assistant|>`)
  const tokens = [...prompt, ...encoder.plain(response), ...encoder.marked('<|end|>')]
  return [{ trunk: [], branches: [{ tokens, responseStart: prompt.length, name: 'merged' }] }]
}

/** The memory before and after a section. */
function linesOf({ memory, response, case: name }: LessonTurn): [NotedLines, NotedLines] {
  const isEmpty = name === 'found' || name === 'nothing'
  const before = new Map(isEmpty ? [] : [['fact', memory]])
  const isNew = name === 'found' || name === 'replaced'
  return [before, isNew ? new Map([['fact', response.trim()]]) : before]
}

const compactTemplate = ({ workflow }: ResponseWriter, name: string): string =>
  promptsFor(workflow, 'compact').templates[name]!

const fill = (template: string, parts: Readonly<Record<string, string>>): string =>
  template.replace(/\{(\w+)\}/g, (_, name: string) => parts[name]!)

/** The final conversation: question and memory in, boxed answer out. */
export function answerGroup(
  parts: { readonly question: string; readonly memory: NotedLines; readonly answer: string },
  { encoder, writer }: LessonForm,
): Group {
  const { question } = parts
  const template = compactTemplate(writer, 'answer')
  const filled = { question, memory: writer.shown(parts.memory), ...writer.otherParts }
  const prompt = encoder.marked(`<|user|>${fill(template, filled)}<|assistant|>`)
  const tokens = [
    ...prompt,
    ...encoder.marked('\\boxed{'),
    ...encoder.plain(` ${parts.answer}`),
    ...encoder.marked('}<|end|>'),
  ]
  return { trunk: [], branches: [{ tokens, responseStart: prompt.length, name: 'answer' }] }
}

/** Tokens of the group as separate conversations. */
export const conversationTokensOf = (group: Group) =>
  groupLength(group) + group.trunk.length * (group.branches.length - 1)
