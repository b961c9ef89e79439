/**
 * Aliases: a thing is renamed in the course of the text, once or more, and the wanted fact is told later under its last name.
 * The question uses the first name. Names that the thing nearly got, and other renamed things, lead to other answers.
 */
import { z } from 'zod'
import { drawApart } from './apart-draws.ts'
import { lazy, loadData } from './data/load-data.ts'
import { createFact } from './facts/facts.ts'
import { fillSlots } from './facts/fill-slots.ts'
import { templates } from './facts/kind.ts'
import { factKinds } from './facts/kinds.ts'
import { subjectClasses } from './facts/name-forms.ts'
import { drawName, drawOtherName } from './facts/names.ts'
import { depthsBelow, type Statement } from './prose/plant-statements.ts'
import {
  absentShare,
  defineProseTask,
  drawAskedFact,
  factLabels,
  firstOf,
  kindsOf,
  ordinaryKinds,
} from './prose-task.ts'
import { count, counts } from './settings/task-options.ts'
import { questionsFor, templatesOf } from './templates.ts'

const table = z.strictObject({
  subjects: z.array(z.enum(subjectClasses)),
  notAsked: z.array(z.string()),
  renames: templates,
  refusals: templates,
})

export const renaming = lazy(() => loadData('aliases.yaml', table))

const renamedKinds = () => {
  const { subjects, notAsked } = renaming()
  const isRenamed = new Set(
    factKinds()
      .filter((kind) => kind.subjects.every((one) => subjects.includes(one)))
      .map(({ name }) => name),
  )
  return ordinaryKinds().filter((name) => isRenamed.has(name) && !notAsked.includes(name))
}

export const aliases = defineProseTask({
  name: 'aliases',
  description: 'A fact about a thing, stated under a name that it gets only in the course of the text.',
  options: {
    kinds: kindsOf(renamedKinds, 'every kind about things that get new names'),
    renames: counts(1)
      .default([1, 2, 3])
      .describe('How often the thing gets a new name: a number, or a list to draw from.'),
    refusals: count(0)
      .default(1)
      .describe('Names that the thing does not get, each with a fact of the kind asked for.'),
    distractors: count(0)
      .default(2)
      .describe('Other things that get a new name, each with a fact of the kind asked for under that name.'),
    absentShare: absentShare(0.1, 'without such a fact under the last name'),
  },
  draw(draws) {
    const { asked, placed, settings, templates, isPresent } = draws
    const { split } = settings
    const { fact, question } = drawAskedFact(draws)
    const random = asked.fork('told')
    const apart = drawApart(split)
    apart.taken.push(fact.subject)
    const rename = (list: 'renames' | 'refusals', old: string, next: string): Statement => {
      const choice = list === 'renames' ? templates : questionsFor(templates)
      const { text: template } = random.pick(templatesOf(renaming()[list], choice))
      const { text: statement, starts } = fillSlots(template, { old, new: next })
      return { statement, value: next, valueStart: starts.new! }
    }
    const newName = () => apart.take(random, (from) => drawName(from, fact.subjectClass)).text
    /** Facts of the kind asked for; every value is different. */
    const values: { readonly subject: string; readonly value: string }[] = []
    const tell = (subject: string) => {
      const told = createFact(random, {
        split,
        templates: fact.kindHeldOut ? 'any' : templates,
        kind: fact.kind,
        subject,
        avoid: values,
      })
      values.push({ subject, value: told.value })
      return told
    }
    const names = [fact.subject, ...Array.from({ length: random.pick([settings.renames].flat()) }, newName)]
    const renames = names.slice(1).map((next, i) => rename('renames', names[i]!, next))
    const answer = tell(names.at(-1)!)
    const refusals = Array.from({ length: settings.refusals }, () => {
      const refused = newName()
      return [rename('refusals', random.pick(names), refused), tell(refused)]
    })
    const distractors = Array.from({ length: settings.distractors }, (_, i) => {
      const other = apart.take(random, (from) =>
        i % 2 === 0 && fact.name
          ? drawOtherName(from, fact.name, (fresh) => drawName(fresh, fact.subjectClass))
          : drawName(from, fact.subjectClass),
      ).text
      const next = newName()
      return [rename('renames', other, next), tell(next)]
    })
    const depth = placed.fork('depth').next()
    const depths = depthsBelow(placed.fork('renames'), renames.length, depth)
    const others = placed.fork('others')
    return {
      question,
      statements: [
        ...renames.map((statement, i) => ({ ...statement, depth: depths[i]! })),
        ...(isPresent ? [{ ...answer, depth }] : []),
        ...[...refusals, ...distractors].flatMap((pair) => {
          const ascending = depthsBelow(others, pair.length, 1)
          return pair.map((statement, i) => ({ ...statement, depth: ascending[i]! }))
        }),
      ],
      answers: isPresent ? [renames.length] : [],
      supporting: isPresent ? renames.length + 1 : 0,
      notes: (order) =>
        order
          .filter((i) => i < renames.length + (isPresent ? 1 : 0) && isLedTo(i, order))
          .map((statement) => ({
            statement,
            line: 'link',
            text: statement < renames.length ? `now ${names[statement + 1]}` : answer.value,
          })),
      labels: {
        ...factLabels(fact),
        template: answer.statementTemplate,
        renames: renames.length,
        decoys: 2 * (refusals.length + distractors.length),
      },
    }
  },
})

/** Whether every earlier rename was read too; without them, the name could be anyone's. */
const isLedTo = (i: number, order: readonly number[]) =>
  firstOf(i).every((earlier) => order.includes(earlier))
