/** A kind of fact, and its record in the tables of `data/facts`. The top of `people.yaml` explains the format. */
import { z } from 'zod'
import { lines } from '../data/load-data.ts'
import { fillers, subjectSlots } from './fill.ts'
import { type SubjectClass, subjectClasses } from './name-forms.ts'
import { drawFromPatterns, patterns } from './patterns.ts'
import { valueTypes } from './value-types.ts'
import type { DrawText } from './words.ts'

export interface Template {
  readonly text: string
  /** Never used in training. */
  readonly heldOut: boolean
  /** Used only in lessons, so it can be added without changing recorded samples. */
  readonly isForLessons: boolean
}

export interface Statement extends Template {
  /** Other kinds of facts about the subject that this sentence states too. */
  readonly alsoTells: readonly string[]
}

export interface FactKind {
  readonly name: string
  /** The whole kind is never used in training. */
  readonly heldOut: boolean
  readonly subjects: readonly SubjectClass[]
  readonly value: DrawText
  readonly statements: readonly Statement[]
  /** Kinds with questions so vague that any statement of this kind may be taken for an answer. */
  readonly mayAnswer: readonly string[]
  readonly questions: readonly Template[]
}

/** One template per line; `~` at its start holds it out of training, `+` limits it to lessons. */
export const templates = lines.transform((texts): readonly Template[] => texts.map(templateOf))

/** A line of a table. */
export const templateOf = (line: string): Template => ({
  text: line.replace(/^[~+]\s*/, ''),
  heldOut: line.startsWith('~'),
  isForLessons: line.startsWith('+'),
})

/** @param faultOf returns what is wrong with a template, if anything */
const checked = (faultOf: (text: string) => string | undefined) =>
  templates.superRefine((list, context) => {
    if (list.length === 0) context.addIssue({ code: 'custom', message: 'it takes at least one line' })
    for (const { text } of list) {
      const fault = faultOf(text)
      if (fault !== undefined) context.addIssue({ code: 'custom', message: `"${text}" ${fault}` })
    }
  })

const slotsOf = (text: string): string[] => [...text.matchAll(/\{(\w*)\}/g)].map(([, slot]) => slot!)

const faultOfSlots = (text: string, subject: readonly string[], others: readonly string[]) => {
  const known = [...subject, ...others]
  const slots = slotsOf(text)
  const unknown = slots.find((slot) => !known.includes(slot))
  if (unknown !== undefined) {
    return `has the unknown slot {${unknown}}; known: ${known.map((slot) => `{${slot}}`).join(', ')}`
  }
  return slots.filter((slot) => subject.includes(slot)).length === 1
    ? undefined
    : 'does not name the subject once'
}

export const statements = checked((text) => {
  if (slotsOf(text).filter((slot) => slot === 'value').length !== 1) return 'does not have {value} once'
  if (text.startsWith('{subject}')) return 'starts with {subject}; at the start it is {Subject}'
  return faultOfSlots(text, Object.keys(subjectSlots), ['value', ...Object.keys(fillers)])
})

export const questions = checked((text) => faultOfSlots(text, ['subject', 'bare'], []))

/** The name of a value type, or patterns. */
const valueType = z.string().transform((text, context): DrawText => {
  const named = valueTypes[text]
  if (named !== undefined) return named
  if (!text.includes('{')) {
    const message = `it takes a pattern with {slots}, or one of ${Object.keys(valueTypes).join(', ')}`
    context.addIssue({ code: 'custom', message })
    return () => text
  }
  const read = patterns.safeParse(text)
  for (const { message } of read.error?.issues ?? []) context.addIssue({ code: 'custom', message })
  return drawFromPatterns(read.data ?? [])
})

/** A record of the tables: its name is its key in the file. */
export const factKindRow = z
  .strictObject({
    heldOut: z.boolean().default(false).describe('Training never uses this kind.'),
    subjects: z
      .array(z.enum(subjectClasses))
      .min(1)
      .readonly()
      .describe('What it is about: classes of names.yaml.'),
    value: valueType.describe(
      'What answers its questions: a pattern with {slots}, several of them a line each, or the name of a function.',
    ),
    statements: statements.describe(
      'Sentences that state the fact, one per line; ~ at the start of those that training never uses. Each has {value} once, and the subject once.',
    ),
    alsoTells: z
      .record(z.string(), lines)
      .default({})
      .describe(
        'By name of another kind: statements of this kind that state that fact as well, one per line.',
      ),
    mayAnswer: z
      .array(z.string())
      .readonly()
      .default([])
      .describe(
        'Kinds whose questions are so vague that any of these statements could be taken for an answer.',
      ),
    questions: questions.describe(
      'Questions that the statements answer, one per line, with {subject} or {bare}.',
    ),
  })
  .superRefine(({ statements, alsoTells }, context) => {
    const own = statements.map(({ text }) => text)
    for (const [kind, texts] of Object.entries(alsoTells)) {
      const stray = texts.find((text) => !own.includes(text))
      if (stray === undefined) continue
      const message = `"${stray}" is not one of its statements`
      context.addIssue({ code: 'custom', path: ['alsoTells', kind], message })
    }
  })
export type FactKindRow = z.output<typeof factKindRow>

export function createKind(name: string, row: FactKindRow): FactKind {
  const { heldOut, alsoTells, statements, questions, ...others } = row
  const held = <T extends Template>(list: readonly T[]): readonly T[] =>
    heldOut ? list.map((template) => ({ ...template, heldOut })) : list
  const told = statements.map((template) => ({
    ...template,
    alsoTells: Object.keys(alsoTells).filter((kind) => alsoTells[kind]!.includes(template.text)),
  }))
  return { name, heldOut, ...others, statements: held(told), questions: held(questions) }
}

/** A file of such records. */
export const factKindRows = z
  .record(z.string(), factKindRow)
  .transform((rows) => Object.entries(rows).map(([name, row]) => createKind(name, row)))
