/**
 * What a text never mentions: which of several names does not occur, or whether one does. No sentence says that a name is
 * absent; the reader has to remember the names it met. Names nearly like those of the question are mentioned too.
 */
import { z } from 'zod'
import { neverMentionedName } from './answers-in-notes.ts'
import { drawApart } from './apart-draws.ts'
import { lazy, loadData } from './data/load-data.ts'
import { createFact } from './facts/facts.ts'
import { fillSlots } from './facts/fill-slots.ts'
import { templates } from './facts/kind.ts'
import { factKinds } from './facts/kinds.ts'
import { type SubjectClass, subjectClasses } from './facts/name-forms.ts'
import { drawName, drawOtherName } from './facts/names.ts'
import { drawFromPool } from './facts/pools.ts'
import { defineProseTask, firstOf } from './prose-task.ts'
import { count, counts, namesOf, oneOrSeveral } from './settings/task-options.ts'
import { questionsFor, templatesOf } from './templates.ts'
import { containsReference } from './verifiers/lenient.ts'
import { scoreAnswer } from './verifiers/score.ts'

const wish = z.enum(['which', 'whether'])

export const absence = lazy(() =>
  loadData(
    'never-mentioned.yaml',
    z.strictObject({ subjects: z.array(z.enum(subjectClasses)), which: templates, whether: templates }),
  ),
)

export const neverMentioned = defineProseTask({
  name: neverMentionedName,
  description: 'Which of several names the text never mentions, or whether it mentions one.',
  options: {
    wish: oneOrSeveral(wish)
      .default(wish.options)
      .describe(
        'What the question asks for: which of several names are missing, or whether one occurs (if it is not found, the answer is no). From a list, each sample draws one.',
      ),
    names: counts(2)
      .default([3, 4, 5, 6])
      .describe('Names in a question that asks which: a number, or a list to draw from.'),
    missing: counts(1)
      .default([1, 2])
      .describe('How many of them are missing, though never all: a number, or a list to draw from.'),
    near: count(0).default(4).describe('Mentions of names that are nearly those in the question.'),
    classes: namesOf(() => absence().subjects)
      .default(() => absence().subjects)
      .meta({ description: 'What the names belong to.', defaultIs: 'all of them' }),
  },
  draw({ asked, placed, settings, templates }) {
    const { split, near } = settings
    const isHeldOut = templates === 'held-out'
    const wanted = asked.fork('wish').pick([settings.wish].flat())
    const random = asked.fork('told')
    const subjectClass = random.pick(settings.classes) as SubjectClass
    const count = wanted === 'which' ? random.pick([settings.names].flat()) : 1
    const missing =
      wanted === 'which' ? Math.min(random.pick([settings.missing].flat()), count - 1) : random.int(2)
    const apart = drawApart(split)
    const names = Array.from({ length: count }, () =>
      apart.take(random, (from) => drawName(from, subjectClass)),
    )
    const others = Array.from({ length: near }, (_, i) =>
      apart.take(random, (from) =>
        drawOtherName(from, names[i % count]!, (fresh) => drawName(fresh, subjectClass)),
      ),
    )
    const texts = names.map(({ text }) => text)
    const kinds = factKinds().filter(
      ({ subjects, statements }) =>
        subjects.includes(subjectClass) && statements.some(({ heldOut }) => heldOut === isHeldOut),
    )
    /** A statement with this name as written, not as a slug, and without the question's other names. */
    const mention = (name: string) =>
      drawFromPool(
        random,
        split,
        (from) => createFact(from, { split, templates, kind: from.pick(kinds).name, subject: name }),
        () => name,
        ({ statement }) =>
          containsReference(statement, name) &&
          !texts.some((other) => other !== name && containsReference(statement, other)),
      )
    const absent = random.shuffle(firstOf(count)).slice(0, missing)
    const present = firstOf(count).filter((i) => !absent.includes(i))
    const { text: template, heldOut } = asked
      .fork('question')
      .pick(templatesOf(absence()[wanted], questionsFor(templates)))
    const { text: query } = fillSlots(template, { names: texts.join('; '), name: texts[0]! })
    const depths = placed.fork('depths')
    return {
      question: {
        text: `${query} ${wanted === 'which' ? 'Separate several by semicolons.' : 'Answer yes or no.'}`,
        query,
        template,
        heldOut,
      },
      statements: [...present.map((i) => texts[i]!), ...others.map(({ text }) => text)].map((name) => ({
        ...mention(name),
        depth: depths.next(),
      })),
      answers: [],
      references:
        wanted === 'which' ? absent.toSorted().map((i) => texts[i]!) : [missing === 0 ? 'yes' : 'no'],
      match: wanted === 'which' ? 'all' : 'any',
      supporting: present.length,
      notes: (order) =>
        order
          .filter((i) => i < present.length)
          .map((i) => ({ statement: i, line: `${i}`, text: texts[present[i]!]! })),
      labels: { kind: subjectClass, wish: wanted, names: count, missing, decoys: near },
    }
  },
  // A reader without notes says that it found nothing, which means no.
  score: (sample, answer) =>
    scoreAnswer(sample, answer ?? (sample.labels.wish === 'whether' ? 'no' : undefined)),
})
