/**
 * All mentions: cross-document retrieval. Something is told of one subject in many places of the text, each time by itself, and
 * everything is wanted: all visitors of a building, all towns in which a person was seen. How many there are is not said; some
 * are told twice; others look like it and are not. Scored by precision and recall, where `several-values` asks for a few values
 * that training asks for too, and gives the share found.
 */
import { TaskError } from '@memagent/core'
import { z } from 'zod'
import { drawMentions } from './all-mentions/draw-mentions.ts'
import { type MentionRelation, mentionRelations } from './all-mentions/relations.ts'
import { fillTemplate } from './facts/fill.ts'
import { plantStatements } from './prose/plant-statements.ts'
import { proseTaskOptions, sampleDraws, templatesOf } from './prose-task.ts'
import { sampleId } from './sample-id.ts'
import { count, counts, namesOf, readTaskOptions } from './settings/task-options.ts'
import type { Sample, Task } from './task.ts'
import { scoreItems } from './verifiers/listed-items.ts'
import { scoreAnswer } from './verifiers/score.ts'

const relationNames = mentionRelations.map(({ name }) => name)

const allMentionsOptions = z.strictObject({
  ...proseTaskOptions,
  /** Different things to be found: a number, or a list to draw from. @default 2 to 12 */
  mentions: counts(1).default([2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]),
  /** How many of them are told a second time, at most. @default 2 */
  repeats: count(0).default(2),
  /** Sentences about the same subject that do not belong to the answer. @default 4 */
  lures: count(0).default(4),
  /** The same told of other subjects, at least so many... @default 6 */
  distractors: count(0).default(6),
  /** ... and in long texts so many per 200,000 tokens. @default 8 */
  decoysPer200k: count(0).default(8),
  /** Names of relations. @default every one */
  relations: namesOf(relationNames).default(relationNames),
})
export type AllMentionsOptions = z.input<typeof allMentionsOptions>

/**
 * Metrics: `precision`, `recall` and `f1` of the listed items, `strict` and `lenient`.
 * @throws TaskError for wrong options; `sample` throws it when the statements do not fit the length asked for
 */
export function createAllMentions(options: AllMentionsOptions): Task {
  const name = 'all-mentions'
  const settings = readTaskOptions(name, allMentionsOptions, options)
  return {
    name,
    async sample(request) {
      const { asked, placed, isHeldOut } = sampleDraws(name, request, settings)
      const relation = relationNamed(asked.fork('relation').pick(settings.relations))
      const counts = {
        mentions: asked.fork('count').pick([settings.mentions].flat()),
        repeats: settings.repeats,
        lures: settings.lures,
        distractors: Math.max(
          settings.distractors,
          Math.ceil((settings.decoysPer200k * request.lengthTokens) / 200_000),
        ),
      }
      const drawn = drawMentions(asked.fork('drawn'), relation, counts, settings.split, isHeldOut)
      const question = asked
        .fork('question')
        .pick(templatesOf(relation.questions, isHeldOut ? 'any' : 'train'))
      const { text } = fillTemplate(question.text, {
        random: asked,
        split: settings.split,
        subject: drawn.subject,
      })
      const depths = placed.fork('depths')
      const { mentions, repeats, lures, distractors } = drawn
      const planted = plantStatements(
        name,
        request,
        settings.prose,
        [...mentions, ...repeats, ...lures, ...distractors].map((statement) => ({
          ...statement,
          depth: depths.next(),
        })),
        placed.fork('prose'),
      )
      const evidence = planted.values.slice(0, mentions.length)
      return {
        id: sampleId(name, request),
        question: `${text} List every one that the text mentions, separated by semicolons.`,
        query: text,
        document: planted.document,
        references: mentions.map(({ value }) => value),
        match: 'all',
        evidence,
        supportingFacts: planted.statements.slice(0, mentions.length + repeats.length),
        labels: {
          kind: relation.name,
          mentions: mentions.length,
          repeats: repeats.length,
          lures: lures.length,
          decoys: lures.length + distractors.length,
          questionTemplate: question.text,
          heldOutTemplate: isHeldOut,
          heldOutQuestion: question.heldOut,
          split: settings.split,
          present: true,
          depth: evidence[0]!.startByte / planted.sizeBytes,
        },
      } satisfies Sample
    },
    score: (sample, answer) => ({
      ...scoreItems(answer ?? '', sample.references),
      ...scoreAnswer(sample, answer),
    }),
  }
}

/** @throws TaskError that lists the known ones */
function relationNamed(name: string): MentionRelation {
  const relation = mentionRelations.find((candidate) => candidate.name === name)
  if (relation === undefined) {
    throw new TaskError({
      code: 'task/unknown-relation',
      message: `unknown relation: ${name}`,
      hint: `Known relations: ${mentionRelations.map((known) => known.name).join(', ')}.`,
    })
  }
  return relation
}
