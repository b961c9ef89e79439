/** What a kind of fact is: statements and questions with slots, and where its subjects and values come from. */
import type { Random } from '../random.ts'
import type { SubjectClass } from './name-forms.ts'

export type ValueSource = (random: Random) => string

export interface Template {
  readonly text: string
  /** Never used in training. */
  readonly heldOut: boolean
}

export interface FactKind {
  readonly name: string
  /** The whole kind is never used in training. */
  readonly heldOut: boolean
  readonly subjects: readonly SubjectClass[]
  readonly value: ValueSource
  readonly statements: readonly Template[]
  readonly questions: readonly Template[]
}

/**
 * A row of the tables. Slots of a statement: `{subject}` (inside a sentence), `{Subject}` (at its start), `{bare}` (without
 * its article), `{slug}` (`blue_harbor_warehouse`), `{value}`, and fillers that answer nothing: `{person}`, `{town}`,
 * `{firm}`, `{date}`, `{year}`, `{time}`. Questions have the subject's slots only.
 * A template that starts with `~` is held out of training.
 */
export interface FactKindRow {
  readonly name: string
  readonly heldOut?: boolean
  readonly subjects: readonly SubjectClass[]
  readonly value: ValueSource
  readonly statements: readonly string[]
  readonly questions: readonly string[]
}

/** Further statements and questions, by name of kind. */
export type Wordings = Readonly<Record<string, Pick<FactKindRow, 'statements' | 'questions'>>>

/** Statements, or questions, by name of kind. */
export type Templates = Readonly<Record<string, readonly string[]>>

/** Kinds of facts about one thing, and how they are told and asked for. */
export interface FactFamily {
  readonly kinds: readonly FactKindRow[]
  /** Written after the rows, to teach more than one phrase for a relation. */
  readonly wordings: Wordings
  /** Later still, and in breadth: every ordinary way to say and to ask it. One in six was held out by lot. */
  readonly statements: Templates
  readonly questions: Templates
}

/** A kind from its row, and from further wordings. */
export function defineKind(
  row: FactKindRow,
  ...further: readonly (Wordings[string] | undefined)[]
): FactKind {
  const heldOutKind = row.heldOut ?? false
  const template = (text: string): Template => ({
    text: text.replace(/^~\s*/, ''),
    heldOut: heldOutKind || text.startsWith('~'),
  })
  return {
    name: row.name,
    heldOut: heldOutKind,
    subjects: row.subjects,
    value: row.value,
    statements: [...row.statements, ...further.flatMap((more) => more?.statements ?? [])].map(template),
    questions: [...row.questions, ...further.flatMap((more) => more?.questions ?? [])].map(template),
  }
}
