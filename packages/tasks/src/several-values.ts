/**
 * Several values of one subject, spread over the document; all of them are wanted. After RULER's multi-value needles
 * (arXiv 2404.06654) with MemAgent's fractional reward |found| / |wanted| (arXiv 2507.02259v1, eq. 7), in many relations.
 */
import { TaskError } from '@memagent/core'
import { z } from 'zod'
import { isToldApart, type TemplateChoice } from './facts/facts.ts'
import { fillTemplate } from './facts/fill.ts'
import type { FactKind } from './facts/kind.ts'
import { drawName, drawOtherName } from './facts/names.ts'
import { drawFromPool, type Split } from './facts/pools.ts'
import { type PlacedStatement, plantStatements } from './prose/plant-statements.ts'
import { proseTaskOptions, sampleDraws, templatesOf } from './prose-task.ts'
import type { Random } from './random.ts'
import { sampleId } from './sample-id.ts'
import { count, counts, namesOf, readTaskOptions } from './settings/task-options.ts'
import { collections } from './several-values/collections.ts'
import type { Sample, Task } from './task.ts'
import { scoreAnswer } from './verifiers/score.ts'

const collectionNames = collections.map(({ name }) => name)

const severalValuesOptions = z.strictObject({
  ...proseTaskOptions,
  /** Values asked for: a number, or a list to draw from. @default [2, 3, 4, 5, 6] */
  values: counts(2, 6).default([2, 3, 4, 5, 6]),
  /** Values of other subjects, every second one with a name like the one asked for. @default 4 */
  distractors: count(0).default(4),
  /** Names of collections. @default every one */
  collections: namesOf(collectionNames).default(collectionNames),
})
export type SeveralValuesOptions = z.input<typeof severalValuesOptions>

/** @throws TaskError for options that do not exist, and for wrong values */
export function createSeveralValues(options: SeveralValuesOptions): Task {
  const name = 'several-values'
  const settings = readTaskOptions(name, severalValuesOptions, options)
  return {
    name,
    async sample(request) {
      const { asked, placed, isHeldOut } = sampleDraws(name, request, settings)
      const count = asked.fork('values').pick([settings.values].flat())
      const kind = collectionNamed(asked.fork('collection').pick(settings.collections))
      const drawn = drawCollection(
        asked.fork('facts'),
        kind,
        count,
        settings.distractors,
        settings.split,
        isHeldOut,
      )
      const question = asked.fork('question').pick(templatesOf(kind.questions, isHeldOut ? 'any' : 'train'))
      const { text } = fillTemplate(question.text, {
        random: asked,
        split: settings.split,
        subject: drawn.subject,
      })
      const depths = placed.fork('depths')
      const planted = plantStatements(
        name,
        request,
        settings.prose,
        [...drawn.statements, ...drawn.distractors].map((statement) => ({
          ...statement,
          depth: depths.next(),
        })),
        placed.fork('prose'),
      )
      const evidence = planted.values.slice(0, count)
      return {
        id: sampleId(name, request),
        question: `${text} List all of them, separated by semicolons.`,
        query: text,
        document: planted.document,
        references: drawn.statements.map(({ value }) => value),
        match: 'all',
        evidence,
        labels: {
          kind: kind.name,
          values: count,
          questionTemplate: question.text,
          heldOutTemplate: isHeldOut,
          heldOutQuestion: question.heldOut,
          split: settings.split,
          present: true,
          decoys: drawn.distractors.length,
          depth: evidence[0]!.startByte / planted.sizeBytes,
        },
      } satisfies Sample
    },
    score: scoreAnswer,
  }
}

type Stated = Omit<PlacedStatement, 'depth'>

/** The values of one subject, each with a statement, and values of other subjects. No value contains another. */
export function drawCollection(
  random: Random,
  kind: FactKind,
  count: number,
  distractorCount: number,
  split: Split,
  isHeldOut: boolean,
): { subject: string; statements: Stated[]; distractors: (Stated & { subject: string })[] } {
  const templates: TemplateChoice = isHeldOut ? 'held-out' : 'train'
  const subjects: string[] = []
  const wanted: string[] = []
  const draw = <T>(source: (random: Random) => T, textOf: (drawn: T) => string, taken: string[]): T => {
    const apart = [...subjects, ...wanted]
    const drawn = drawFromPool(random, split, source, textOf, (one) =>
      apart.every((other) => isToldApart(textOf(one), other)),
    )
    taken.push(textOf(drawn))
    return drawn
  }
  // There are few languages: two distractors may share one, as long as nobody asks for it.
  const state = (subject: string, taken: string[] = []): Stated => {
    const value = draw(kind.value, (text) => text, taken)
    const { text: template } = random.pick(
      templatesOf(kind.statements, templates).filter(
        ({ text }) => !(text.startsWith('{value}') && /^\p{Ll}/u.test(value)),
      ),
    )
    const { text, valueStart } = fillTemplate(template, { random, split, subject, value })
    return { statement: text, value, valueStart }
  }
  const subjectClass = random.pick(kind.subjects)
  const name = draw(
    (r) => drawName(r, subjectClass),
    ({ text }) => text,
    subjects,
  )
  return {
    subject: name.text,
    statements: Array.from({ length: count }, () => state(name.text, wanted)),
    distractors: Array.from({ length: distractorCount }, (_, i) => {
      const other = draw(
        (r) =>
          i % 2 === 0
            ? drawOtherName(r, name, (fresh) => drawName(fresh, subjectClass))
            : drawName(r, subjectClass),
        ({ text }) => text,
        subjects,
      )
      return { ...state(other.text), subject: other.text }
    }),
  }
}

/** @throws TaskError that lists the known ones */
export function collectionNamed(name: string): FactKind {
  const kind = collections.find((candidate) => candidate.name === name)
  if (kind === undefined) {
    throw new TaskError({
      code: 'task/unknown-collection',
      message: `unknown collection of values: ${name}`,
      hint: `Known collections: ${collections.map((known) => known.name).join(', ')}.`,
    })
  }
  return kind
}
