/**
 * Corrected facts: a fact is stated and later corrected, once or more; the last correction is right. Other things are
 * corrected around it, one of them afterwards and with nearly the same name: a trap for a memory that overwrites what it
 * should keep.
 */
import { corrections } from './corrections.ts'
import { createDecoy, createFact, type Fact } from './facts/facts.ts'
import { fillSlots } from './facts/fill-slots.ts'
import { depthsBelow, type PlacedStatement, type Statement } from './prose/plant-statements.ts'
import {
  absentShare,
  defineProseTask,
  drawAskedFact,
  factLabels,
  kindsOf,
  ordinaryKinds,
} from './prose-task.ts'
import type { Random } from './random.ts'
import { count, counts } from './settings/task-options.ts'
import { type TemplateChoice, templatesOf } from './templates.ts'

export const correctedFact = defineProseTask({
  name: 'corrected-fact',
  description: 'One fact that is stated and later corrected; the last correction is right.',
  options: {
    kinds: kindsOf(ordinaryKinds, "every kind but RULER's"),
    corrections: counts(0)
      .default([1, 2])
      .describe('How often the fact is corrected: a number, or a list to draw from.'),
    distractors: count(0)
      .default(2)
      .describe('Other facts that are stated and corrected, every second one about a similar name.'),
    absentShare: absentShare(0.1, 'that state and correct only other things'),
  },
  draw(draws) {
    const { asked, placed, settings, isPresent } = draws
    const correctionCount = asked.fork('corrections').pick([settings.corrections].flat())
    const { fact, question } = drawAskedFact(draws)
    const own = stateAndCorrect(asked.fork('own'), fact, correctionCount, draws.templates, [])
    const drawn = asked.fork('distractors')
    const avoid = own.map(({ value }) => ({ subject: fact.subject, value }))
    const others = Array.from({ length: settings.distractors }, (_, i) => {
      const decoy = createDecoy(drawn, fact, {
        style: i % 2 === 0 ? 'shared-name' : 'same-kind',
        templates: fact.kindHeldOut ? 'any' : draws.templates,
        avoid,
      })
      avoid.push({ subject: decoy.subject, value: noValue })
      return stateAndCorrect(drawn, decoy, 1, draws.templates, avoid)
    })
    const answerDepth = placed.fork('depth').next()
    const otherDepths = placed.fork('distractor-depths')
    return {
      question,
      statements: [
        ...(isPresent ? place(own, placed.fork('own-depths'), answerDepth) : []),
        ...others.flatMap((other, i) =>
          // The first one is corrected after the answer: the trap.
          place(
            other,
            otherDepths,
            i === 0 ? answerDepth + otherDepths.next() * (1 - answerDepth) : otherDepths.next(),
          ),
        ),
      ],
      answers: isPresent ? [correctionCount] : [],
      notes: (order) =>
        order
          .filter((i) => isPresent && i <= correctionCount)
          .map((i) => ({ statement: i, line: 'fact', text: own[i]!.value })),
      labels: {
        ...factLabels(fact),
        corrections: correctionCount,
        template: own.at(-1)!.template,
        decoys: others.length,
      },
    }
  },
})

type Version = Statement & { readonly template: string }

/** A value distinct from all others, for avoiding only a subject. */
const noValue = '\u0000'

/** The fact, and its corrections in order. All values differ, from each other and from those to avoid. */
function stateAndCorrect(
  random: Random,
  fact: Fact,
  count: number,
  choice: TemplateChoice,
  avoid: readonly Pick<Fact, 'subject' | 'value'>[],
): Version[] {
  const versions: Version[] = [{ ...fact, template: fact.statementTemplate }]
  for (let i = 0; i < count; i += 1) {
    const earlier = versions.map(({ value }) => ({ subject: fact.subject, value }))
    const next = createFact(random, {
      split: fact.split,
      templates: fact.kindHeldOut ? 'any' : choice,
      kind: fact.kind,
      subject: fact.subject,
      avoid: [...avoid, ...earlier],
    })
    const { text: template } = random.pick(templatesOf(corrections(), choice))
    const { text, starts } = fillSlots(template, {
      statement: next.statement,
      subject: fact.subject,
      old: versions.at(-1)!.value,
      new: next.value,
    })
    versions.push({
      statement: text,
      value: next.value,
      valueStart: starts.new ?? starts.statement! + next.valueStart,
      template,
    })
  }
  return versions
}

/** Puts the last version at a depth, and the earlier ones in order before it. */
function place(versions: readonly Version[], random: Random, lastDepth: number): PlacedStatement[] {
  const before = depthsBelow(random, versions.length - 1, lastDepth)
  return versions.map((version, i) => ({ ...version, depth: before[i] ?? lastDepth }))
}
