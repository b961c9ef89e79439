/** Facts drawn from the tables: a statement, the questions it answers, and decoys that look like it but do not answer them. */
import { TaskError } from '@memagent/core'
import type { Random } from '../random.ts'
import { isOf, type TemplateChoice } from '../templates.ts'
import { containsReference } from '../verifiers/lenient.ts'
import { fillTemplate } from './fill.ts'
import type { FactKind } from './kind.ts'
import { factKinds, kindNamed } from './kinds.ts'
import type { SubjectClass } from './name-forms.ts'
import { drawName, drawSibling, type Name } from './names.ts'
import { drawFromPool, narrowTries, type Split } from './pools.ts'

export interface Question {
  readonly text: string
  readonly template: string
  readonly heldOut: boolean
}

export interface Fact {
  readonly kind: string
  readonly kindHeldOut: boolean
  readonly split: Split
  readonly subject: string
  readonly subjectClass: SubjectClass
  /** The parts that the subject was composed from; undefined for a given subject. */
  readonly name: Name | undefined
  readonly value: string
  /** One sentence (or two, or a log line) that contains the value verbatim, exactly once. */
  readonly statement: string
  /** Position of the value in the statement, in UTF-16 code units. */
  readonly valueStart: number
  readonly statementTemplate: string
  readonly statementHeldOut: boolean
  /** A question that this statement answers. By default its template comes from the same choice as the fact's. */
  question(random: Random, options?: { readonly templates?: TemplateChoice }): Question
}

export interface FactOptions {
  readonly split: Split
  readonly templates: TemplateChoice
  /** @default any kind that has such templates */
  readonly kind?: string | undefined
  /** Use this subject instead of drawing one. It must fit the kind's sentences, including its article, if any. */
  readonly subject?: string | undefined
  /** The new fact's subject and value differ from all of these, and neither contains or is contained in theirs. */
  readonly avoid?: readonly Pick<Fact, 'subject' | 'value'>[] | undefined
}

/** How a decoy resembles the fact. */
export type DecoyStyle = 'same-kind' | 'shared-name' | 'same-subject-other-kind'

/** The first try nearly always succeeds. */
const maxTries = 100

/** @throws TaskError for an unknown kind, or one without such templates */
export function createFact(random: Random, options: FactOptions): Fact {
  const kind = options.kind === undefined ? pickKind(random, options.templates) : kindNamed(options.kind)
  const avoid = options.avoid ?? []
  const subjectClass = random.pick(kind.subjects)
  const name =
    options.subject === undefined
      ? drawFromPool(
          random,
          options.split,
          (r) => drawName(r, subjectClass),
          (drawn) => drawn.text,
          (drawn) => avoid.every((other) => isApartFrom(drawn.text, other.subject)),
        )
      : undefined
  return stateFact(random, kind, subjectClass, name, name?.text ?? options.subject!, options)
}

/**
 * A fact that resembles the given one but never answers its question: another subject of the kind, or another kind of fact
 * about the same subject. The values differ, and neither contains the other.
 */
export function createDecoy(
  random: Random,
  fact: Fact,
  options: {
    readonly style: DecoyStyle
    readonly templates?: TemplateChoice
    readonly avoid?: FactOptions['avoid']
  },
): Fact {
  const kind = kindNamed(fact.kind)
  const templates = options.templates ?? choiceFor(kind)
  const avoid = [fact, ...(options.avoid ?? [])]
  const common = { split: fact.split, templates }
  if (options.style === 'same-subject-other-kind') {
    const others = factKinds().filter(
      (other) =>
        other !== kind &&
        other.subjects.includes(fact.subjectClass) &&
        other.statements.some(isOf(templates)),
    )
    for (let i = 0; others.length > 0 && i < maxTries; i += 1) {
      const other = random.pick(others)
      const drawn = { ...common, avoid }
      const decoy = stateFact(random, other, fact.subjectClass, fact.name, fact.subject, drawn)
      if (!mayAnswer(other, decoy, fact.kind)) return decoy
    }
  }
  if (options.style === 'shared-name' && fact.name !== undefined) {
    const { name } = fact
    // For some names, such as services, few share a part; the remaining decoys share nothing.
    const narrow = name.form.length > 1 ? narrowTries : 0
    const sibling = drawFromPool(
      random,
      fact.split,
      (r, tries) => (tries < narrow ? drawSibling(r, name) : drawName(r, fact.subjectClass)),
      (drawn) => drawn.text,
      (drawn) => avoid.every((other) => isApartFrom(drawn.text, other.subject)),
    )
    return stateFact(random, kind, fact.subjectClass, sibling, sibling.text, { ...common, avoid })
  }
  return createFact(random, { ...common, kind: kind.name, avoid })
}

/** Whether this statement could be taken for the answer to a question about another kind of fact on the subject. */
const mayAnswer = (kind: FactKind, { statementTemplate }: Fact, asked: string): boolean =>
  kind.mayAnswer.includes(asked) ||
  kind.statements.some(({ text, alsoTells }) => text === statementTemplate && alsoTells.includes(asked))

function stateFact(
  random: Random,
  kind: FactKind,
  subjectClass: SubjectClass,
  name: Name | undefined,
  subject: string,
  options: FactOptions,
): Fact {
  const statements = kind.statements.filter(isOf(options.templates))
  if (statements.length === 0) {
    throw new TaskError({
      code: 'task/no-template',
      message: `the kind ${kind.name} has no ${options.templates} statements`,
    })
  }
  const template = random.pick(statements)
  const value = drawFromPool(
    random,
    options.split,
    kind.value,
    (drawn) => drawn,
    (drawn) =>
      isApartFrom(drawn, subject) && (options.avoid ?? []).every((other) => isApartFrom(drawn, other.value)),
  )
  const filled = fillTemplate(template.text, { random, split: options.split, subject, value })
  return {
    kind: kind.name,
    kindHeldOut: kind.heldOut,
    split: options.split,
    subject,
    subjectClass,
    name,
    value,
    statement: filled.text,
    valueStart: filled.valueStart,
    statementTemplate: template.text,
    statementHeldOut: template.heldOut,
    question(questionRandom, questionOptions = {}) {
      const wanted = kind.questions.filter(isOf(questionOptions.templates ?? options.templates))
      const question = questionRandom.pick(wanted.length > 0 ? wanted : kind.questions.filter(isOf('any')))
      const { text } = fillTemplate(question.text, { random: questionRandom, split: options.split, subject })
      return {
        text: subjectClass === 'key' ? text : asAsked(questionRandom, text),
        template: question.text,
        heldOut: question.heldOut,
      }
    },
  }
}

/** People sometimes say what they are asking about. */
function asAsked(random: Random, text: string): string {
  if (!random.chance(0.08) || !/^(Who|What|Where|When|Which|How)\b/.test(text)) {
    return text
  }
  const lead = random.pick([
    'According to the text, ',
    'According to the document, ',
    'In this text, ',
    'Please tell me: ',
    'From what you have read: ',
  ])
  return lead + text.charAt(0).toLowerCase() + text.slice(1)
}

function pickKind(random: Random, templates: TemplateChoice): FactKind {
  return random.pick(factKinds().filter(({ statements }) => statements.some(isOf(templates))))
}

const choiceFor = (kind: FactKind): TemplateChoice => (kind.heldOut ? 'any' : 'train')

/** Neither contains the other, ignoring case. */
export function isApartFrom(one: string, other: string): boolean {
  const a = one.toLowerCase()
  const b = other.toLowerCase()
  return !a.includes(b) && !b.includes(a)
}

/**
 * Neither contains the other, even for the verifier, which skips a leading article: "the metrics cluster" is in "the
 * legacy metrics cluster". For names that are answers.
 */
export const isToldApart = (one: string, other: string): boolean =>
  isApartFrom(one, other) && !containsReference(one, other) && !containsReference(other, one)
