/**
 * Corrected facts: a fact is stated and later taken back, once or more; the last correction is right. Corrections of other
 * things stand around it, one of them after it and about a thing of nearly the same name, as a trap for a memory that
 * overwrites what it should keep.
 */

import { z } from 'zod'
import { corrections } from './corrected-fact/corrections.ts'
import { createDecoy, createFact, type Fact, type TemplateChoice } from './facts/facts.ts'
import { fillSlots } from './facts/fill-slots.ts'
import { depthsBelow, type PlacedStatement, plantStatements } from './prose/plant-statements.ts'
import {
  drawAskedFact,
  isAbsent,
  kindNames,
  ordinaryKinds,
  proseTaskOptions,
  sampleDraws,
  templatesOf,
} from './prose-task.ts'
import type { Random } from './random.ts'
import { sampleId } from './sample-id.ts'
import { count, counts, readTaskOptions, share } from './settings/task-options.ts'
import type { Sample, Task } from './task.ts'
import { scoreAnswer } from './verifiers/score.ts'

const correctedFactOptions = z.strictObject({
  ...proseTaskOptions,
  /** Names of kinds. @default every kind but RULER's */
  kinds: kindNames.default(ordinaryKinds),
  /** How often the fact is corrected: a number, or a list to draw from; 0 is allowed. @default [1, 2] */
  corrections: counts(0).default([1, 2]),
  /** Other things stated and corrected, every second one with a name like the one asked for. @default 2 */
  distractors: count(0).default(2),
  /** Share of the documents that state and correct other things only, spread evenly over index + seed. @default 0.1 */
  absentShare: share.default(0.1),
})
export type CorrectedFactOptions = z.input<typeof correctedFactOptions>

/** @throws TaskError for options that do not exist, and for wrong values */
export function createCorrectedFact(options: CorrectedFactOptions): Task {
  const name = 'corrected-fact'
  const settings = readTaskOptions(name, correctedFactOptions, options)
  return {
    name,
    async sample(request) {
      const { asked, placed, isHeldOut } = sampleDraws(name, request, settings)
      const templates = isHeldOut ? 'held-out' : 'train'
      const isPresent = !isAbsent(request.index + request.seed, settings.absentShare)
      const { split } = settings
      const correctionCount = asked.fork('corrections').pick([settings.corrections].flat())
      const { fact, question } = drawAskedFact(asked, settings, isHeldOut)
      const own = stateAndCorrect(asked.fork('own'), fact, correctionCount, templates, [])
      const drawn = asked.fork('distractors')
      const avoid = own.map(({ value }) => ({ subject: fact.subject, value }))
      const others = Array.from({ length: settings.distractors }, (_, i) => {
        const decoy = createDecoy(drawn, fact, {
          style: i % 2 === 0 ? 'shared-name' : 'same-kind',
          templates: fact.kindHeldOut ? 'any' : templates,
          avoid,
        })
        avoid.push({ subject: decoy.subject, value: noValue })
        return stateAndCorrect(drawn, decoy, 1, templates, avoid)
      })
      const answerDepth = placed.fork('depth').next()
      const otherDepths = placed.fork('distractor-depths')
      const planted = plantStatements(
        name,
        request,
        settings.prose,
        [
          ...(isPresent ? place(own, placed.fork('own-depths'), answerDepth) : []),
          ...others.flatMap((other, i) =>
            // The first is corrected after the answer stands: the trap.
            place(
              other,
              otherDepths,
              i === 0 ? answerDepth + otherDepths.next() * (1 - answerDepth) : otherDepths.next(),
            ),
          ),
        ],
        placed.fork('prose'),
      )
      const evidence = isPresent ? [planted.values[correctionCount]!] : []
      return {
        id: sampleId(name, request),
        question: question.text,
        document: planted.document,
        references: isPresent ? [own.at(-1)!.value] : [],
        match: 'any',
        evidence,
        labels: {
          kind: fact.kind,
          corrections: correctionCount,
          template: own.at(-1)!.template,
          questionTemplate: question.template,
          heldOutTemplate: isHeldOut,
          heldOutQuestion: question.heldOut,
          heldOutKind: fact.kindHeldOut,
          split,
          present: isPresent,
          decoys: others.length,
          ...(isPresent ? { depth: evidence[0]!.startByte / planted.sizeBytes } : {}),
        },
      } satisfies Sample
    },
    score: scoreAnswer,
  }
}

type Version = Omit<PlacedStatement, 'depth'> & { readonly template: string }

/** A value that is apart from every other one: where only a subject is to be avoided. */
const noValue = '\u0000'

/** The fact, and its corrections in order. All values differ, from each other and from those to avoid. */
function stateAndCorrect(
  random: Random,
  fact: Fact,
  count: number,
  templates: TemplateChoice,
  avoid: readonly Pick<Fact, 'subject' | 'value'>[],
): Version[] {
  const versions: Version[] = [{ ...fact, template: fact.statementTemplate }]
  for (let i = 0; i < count; i += 1) {
    const earlier = versions.map(({ value }) => ({ subject: fact.subject, value }))
    const next = createFact(random, {
      split: fact.split,
      templates: fact.kindHeldOut ? 'any' : templates,
      kind: fact.kind,
      subject: fact.subject,
      avoid: [...avoid, ...earlier],
    })
    const { text: template } = random.pick(templatesOf(corrections, templates))
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

/** The last version at a depth, the earlier ones before it in order. */
function place(versions: readonly Version[], random: Random, lastDepth: number): PlacedStatement[] {
  const before = depthsBelow(random, versions.length - 1, lastDepth)
  return versions.map((version, i) => ({ ...version, depth: before[i] ?? lastDepth }))
}
