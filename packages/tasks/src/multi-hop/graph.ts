/**
 * A small random graph of relations: a chain that a question follows, and distractors that share names or relations with
 * it. Every pair of subject and relation is stated at most once, so the chain has one answer.
 */
import { TaskError } from '@memagent/core'
import { type ApartDraws, drawApart } from '../apart-draws.ts'
import { lazy } from '../data/load-data.ts'
import { fillTemplate } from '../facts/fill.ts'
import type { SubjectClass } from '../facts/name-forms.ts'
import { firstName, surname } from '../facts/name-parts.ts'
import { drawForm, drawName, drawOtherName, type Name } from '../facts/names.ts'
import type { Pattern } from '../facts/patterns.ts'
import type { Split } from '../facts/pools.ts'
import { drawWord } from '../facts/words.ts'
import type { Random } from '../random.ts'
import { type TemplateChoice, templatesOf } from '../templates.ts'
import { containsReference } from '../verifiers/lenient.ts'
import { type EntityClass, mayFollow, type Relation, relations } from './relations.ts'

/** A relation of one subject, as stated by one sentence of the document. */
export interface StatedRelation {
  readonly relation: Relation
  readonly subject: string
  readonly value: string
  readonly statement: string
  readonly valueStart: number
  readonly template: string
  readonly heldOut: boolean
}

/** What a distractor shares with the chain. */
export type DistractorStyle = 'sibling' | 'same-subject' | 'parallel-chain'

export interface Distractor extends StatedRelation {
  readonly style: DistractorStyle
}

export interface Graph {
  /** In the order of reasoning: the value of each is the subject of the next. */
  readonly chain: readonly StatedRelation[]
  readonly distractors: readonly Distractor[]
}

export interface GraphOptions {
  readonly hops: number
  readonly distractors: number
  readonly split: Split
  readonly templates: TemplateChoice
}

/** An entity that further statements can be about, or a mere value. */
interface Entity {
  readonly text: string
  readonly name?: Name
  readonly subjectClass?: SubjectClass
}

export function drawGraph(random: Random, options: GraphOptions): Graph {
  const builder = createBuilder(random.fork('names'), options)
  const path = drawPath(random.fork('path'), options.hops)
  const nodes = [builder.node(path.start)]
  for (const relation of path.relations) {
    nodes.push(builder.answerOf(relation))
  }
  const chain = path.relations.map((relation, i) => builder.state(relation, nodes[i]!, nodes[i + 1]!))
  const distractors: Distractor[] = []
  const drawn = random.fork('distractors')
  for (let round = 0; distractors.length < options.distractors; round += 1) {
    const hop = drawn.int(options.hops)
    const style = (['sibling', 'same-subject', 'parallel-chain'] as const)[round % 3]!
    if (style === 'same-subject') {
      const other = pickOtherRelation(drawn, path.relations, hop, nodes[hop]!, builder.isStated)
      if (other !== undefined) {
        const asked = path.relations[hop]!
        distractors.push({ ...builder.state(other, nodes[hop]!, builder.valueOf(other), asked), style })
      }
      continue
    }
    const from = style === 'sibling' ? hop : 0
    let subject = builder.sibling(nodes[from]!)
    for (const relation of style === 'sibling' ? [path.relations[hop]!] : path.relations) {
      const value = builder.valueOf(relation)
      distractors.push({ ...builder.state(relation, subject, value), style })
      subject = value
    }
  }
  return { chain, distractors: distractors.slice(0, options.distractors) }
}

const startClasses = lazy((): readonly SubjectClass[] =>
  [...new Set(relations().flatMap(({ kind }) => kind.subjects))].filter((subjectClass) =>
    relations().some(({ kind, to }) => to !== undefined && kind.subjects.includes(subjectClass)),
  ),
)

function drawPath(random: Random, hops: number): { start: SubjectClass; relations: Relation[] } {
  const start = random.pick(startClasses())
  const path: Relation[] = []
  for (let subjectClass = start; path.length < hops; ) {
    const isLast = path.length === hops - 1
    const next = random.pick(
      relations().filter(
        (relation) =>
          relation.kind.subjects.includes(subjectClass) &&
          (isLast || relation.to !== undefined) &&
          mayFollow(relation, path.at(-1)),
      ),
    )
    path.push(next)
    subjectClass = subjectClassOf(next.to ?? 'person')
  }
  return { start, relations: path }
}

const subjectClassOf = (entity: EntityClass): SubjectClass => (entity === 'woman' ? 'person' : entity)

/** Another relation of the same subject, usually with a value of the same class. */
function pickOtherRelation(
  random: Random,
  path: readonly Relation[],
  hop: number,
  subject: Entity,
  isStated: (relation: Relation, subject: Entity) => boolean,
): Relation | undefined {
  const asked = path[hop]!
  const others = relations().filter(
    (relation) =>
      relation.kind.subjects.includes(subject.subjectClass!) &&
      relation.kind !== asked.kind &&
      mayFollow(relation, path[hop - 1]) &&
      !isStated(relation, subject),
  )
  const alike = others.filter(({ to }) => to === asked.to)
  return others.length === 0
    ? undefined
    : random.pick(alike.length > 0 && random.chance(0.8) ? alike : others)
}

function createBuilder(random: Random, { split, templates }: GraphOptions) {
  const apart = drawApart(split)
  const stated = new Set<string>()
  const keyOf = (relation: Relation, subject: Entity): string => `${relation.kind.name}\n${subject.text}`
  const named = (draw: (random: Random) => Name, subjectClass: SubjectClass): Entity => {
    const name = apart.take(random, draw)
    return { text: name.text, name, subjectClass }
  }
  const nodeFor = ({ kind, to }: Relation, drawValue: ApartDraws['draw']): Entity =>
    to === undefined
      ? drawValue(random, (r) => ({ text: kind.value(r) }))
      : named((r) => drawEntity(r, to), subjectClassOf(to))
  return {
    node: (subjectClass: SubjectClass): Entity => named((r) => drawEntity(r, subjectClass), subjectClass),
    sibling: ({ name, subjectClass }: Entity): Entity =>
      named((r) => drawOtherName(r, name!, (fresh) => drawEntity(fresh, subjectClass!)), subjectClass!),
    answerOf: (relation: Relation): Entity => nodeFor(relation, apart.take),
    // There are few languages and instruments: two distractors may share one unless it is the answer.
    valueOf: (relation: Relation): Entity => nodeFor(relation, apart.draw),
    isStated: (relation: Relation, subject: Entity): boolean => stated.has(keyOf(relation, subject)),
    /** @param asked about this subject elsewhere in the chain, so the sentence must not state it as well */
    state(relation: Relation, subject: Entity, value: Entity, asked?: Relation): StatedRelation {
      const key = keyOf(relation, subject)
      if (stated.has(key)) {
        throw new TaskError({
          code: 'task/ambiguous-graph',
          message: `${relation.kind.name} of ${subject.text} is stated twice`,
        })
      }
      stated.add(key)
      const { taken } = apart
      return stateRelation(random, relation, subject.text, value.text, { split, templates, taken, asked })
    },
  }
}

/** People without titles or initials: Dr. Mott and Anna B. Mott might be Anna Mott. */
const personForms: readonly Pattern[] = [
  [firstName, ' ', surname],
  [firstName, ' ', surname],
  [firstName, ' ', surname, '-', surname],
]
const womanForm: Pattern = [(random) => drawWord(random, 'womansName'), ' ', surname]

function drawEntity(random: Random, entity: EntityClass | SubjectClass): Name {
  if (entity !== 'person' && entity !== 'woman') {
    return drawName(random, entity)
  }
  return drawForm(random, entity === 'woman' ? womanForm : random.pick(personForms))
}

const maxTries = 100

function stateRelation(
  random: Random,
  relation: Relation,
  subject: string,
  value: string,
  options: {
    readonly split: Split
    readonly templates: TemplateChoice
    readonly taken: readonly string[]
    readonly asked: Relation | undefined
  },
): StatedRelation {
  // Templates that name another person, town or firm might state an unintended relation.
  const plain = relation.kind.statements.filter(({ text }) => !/\{(person|town|firm)\}/.test(text))
  const suitable = templatesOf(plain, options.templates).filter(
    ({ text }) => !(text.startsWith('{value}') && /^\p{Ll}/u.test(value)),
  )
  const others = options.taken.filter((text) => text !== subject && text !== value)
  for (let i = 0; i < maxTries; i += 1) {
    const { text: template, heldOut, alsoTells } = random.pick(suitable)
    const { text, valueStart } = fillTemplate(template, { random, split: options.split, subject, value })
    if (options.asked !== undefined && alsoTells.includes(options.asked.kind.name)) continue
    // A year or date used as filler must not be the answer.
    if (!others.some((other) => containsReference(text, other))) {
      return { relation, subject, value, statement: text, valueStart, template, heldOut }
    }
  }
  throw new TaskError({
    code: 'task/no-statement',
    message: `no statement of ${relation.kind.name} without the name of something else: ${subject}, ${value}`,
  })
}
