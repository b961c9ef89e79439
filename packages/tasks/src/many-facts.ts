/**
 * Many facts: more of them answer to the name in the question than a short memory can hold, and one is wanted: the last one
 * stated, the first, or the highest. The memory must choose while it reads: overwrite, keep, or compare.
 */
import { z } from 'zod'
import { drawSeries } from './many-facts/draw-series.ts'
import { type Choice, series } from './many-facts/series.ts'
import { depthsAbove, depthsBelow, plantStatements } from './prose/plant-statements.ts'
import { proseTaskOptions, sampleDraws } from './prose-task.ts'
import type { Random } from './random.ts'
import { sampleId } from './sample-id.ts'
import { count, namesOf, readTaskOptions } from './settings/task-options.ts'
import type { Sample, Task } from './task.ts'
import { scoreAnswer } from './verifiers/score.ts'

const choice = z.enum(['latest', 'first', 'highest'])
const seriesNames = series.map(({ name }) => name)

const manyFactsOptions = z.strictObject({
  ...proseTaskOptions,
  /** Which of the facts is wanted; a list is drawn from. @default ['latest', 'first', 'highest'] */
  choice: z.union([choice, z.array(choice).min(1).readonly()]).default(choice.options),
  /** Facts about the subject asked for. @default 8 */
  facts: count(1).default(8),
  /** The same said of other subjects. @default 4 */
  distractors: count(0).default(4),
  /** Names of series. @default every one */
  series: namesOf(seriesNames).default(seriesNames),
})
export type ManyFactsOptions = z.input<typeof manyFactsOptions>

/** @throws TaskError for options that do not exist, and for wrong values */
export function createManyFacts(options: ManyFactsOptions): Task {
  const name = 'many-facts'
  const settings = readTaskOptions(name, manyFactsOptions, options)
  return {
    name,
    async sample(request) {
      const { asked, placed, isHeldOut } = sampleDraws(name, request, settings)
      const choice = asked.fork('choice').pick([settings.choice].flat())
      const drawn = drawSeries(asked.fork('series'), {
        ...settings,
        choice,
        templates: isHeldOut ? 'held-out' : 'train',
      })
      const answer = choice === 'highest' ? drawn.highest : choice === 'first' ? 0 : drawn.facts.length - 1
      const depths = drawDepths(placed.fork('depths'), drawn.facts.length, answer, choice)
      const other = placed.fork('distractor-depths')
      const planted = plantStatements(
        name,
        request,
        settings.prose,
        [
          ...drawn.facts.map((fact, i) => ({ ...fact, depth: depths[i]! })),
          ...drawn.distractors.map((fact) => ({ ...fact, depth: other.next() })),
        ],
        placed.fork('prose'),
      )
      const evidence = [planted.values[answer]!]
      return {
        id: sampleId(name, request),
        question: drawn.text,
        document: planted.document,
        references: [drawn.facts[answer]!.value],
        match: 'any',
        evidence,
        labels: {
          kind: drawn.series.name,
          choice,
          facts: drawn.facts.length,
          template: drawn.facts[answer]!.template,
          questionTemplate: drawn.question.text,
          heldOutTemplate: isHeldOut,
          heldOutQuestion: drawn.question.heldOut,
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

/** The answer stands anywhere, the other facts before it (`latest`), after it (`first`) or anywhere (`highest`). */
function drawDepths(random: Random, count: number, answer: number, choice: Choice): number[] {
  const depth = random.next()
  const others =
    choice === 'latest'
      ? depthsBelow(random, count - 1, depth)
      : choice === 'first'
        ? depthsAbove(random, count - 1, depth)
        : Array.from({ length: count - 1 }, () => random.next())
  return others.toSpliced(answer, 0, depth)
}
