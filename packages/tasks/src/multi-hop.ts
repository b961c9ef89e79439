/**
 * Questions of several hops over invented people, places, works and firms: the memory must keep what the question asks for
 * only by way of something else. The facts stand in real prose among distractors that share names or relations with them.
 * After HotpotQA as MemAgent uses it (arXiv 2507.02259, section 4), with names that no model knows from elsewhere.
 * Question, facts and distractors are a pure function of seed and index; where they stand is one of the length, too.
 */
import { z } from 'zod'
import { drawGraph } from './multi-hop/graph.ts'
import { composeQuestion } from './multi-hop/question.ts'
import { plantStatements } from './prose/plant-statements.ts'
import { isAbsent, proseTaskOptions, sampleDraws } from './prose-task.ts'
import type { Random } from './random.ts'
import { sampleId } from './sample-id.ts'
import { count, counts, readTaskOptions, share } from './settings/task-options.ts'
import type { Sample, Task } from './task.ts'
import { scoreAnswer } from './verifiers/score.ts'

const multiHopOptions = z.strictObject({
  ...proseTaskOptions,
  /** Relations that lead from the name in the question to the answer: a number, or a list to draw from. @default [1, 2, 3, 4] */
  hops: counts(1, 4).default([1, 2, 3, 4]),
  /** Statements that lead astray, at every length. @default 6 */
  distractors: count(0).default(6),
  /** Of the evidence in the document, compared to the order of reasoning. @default 'random' */
  order: z.enum(['forward', 'reverse', 'random']).default('random'),
  /** Share of the documents in which one link of the chain is missing, spread evenly over index + seed. @default 0.1 */
  absentShare: share.default(0.1),
})
export type MultiHopOptions = z.input<typeof multiHopOptions>
export type EvidenceOrder = z.output<typeof multiHopOptions>['order']

/** @throws TaskError for options that do not exist, and for wrong values */
export function createMultiHop(options: MultiHopOptions): Task {
  const name = 'multi-hop'
  const settings = readTaskOptions(name, multiHopOptions, options)
  return {
    name,
    async sample(request) {
      const { asked, placed, isHeldOut } = sampleDraws(name, request, settings)
      const isPresent = !isAbsent(request.index + request.seed, settings.absentShare)
      const hops = asked.fork('hops').pick([settings.hops].flat())
      const { chain, distractors } = drawGraph(asked.fork('graph'), {
        hops,
        distractors: settings.distractors,
        split: settings.split,
        templates: isHeldOut ? 'held-out' : 'train',
      })
      const question = composeQuestion(asked.fork('question'), chain, {
        split: settings.split,
        templates: isHeldOut ? 'any' : 'train',
      })
      const missing = isPresent ? -1 : asked.fork('missing').int(hops)
      const depths = drawDepths(placed.fork('depths'), hops, settings.order)
      const other = placed.fork('distractor-depths')
      const planted = plantStatements(
        name,
        request,
        settings.prose,
        [
          ...chain.map((fact, i) => ({ ...fact, depth: depths[i]! })).filter((_, i) => i !== missing),
          ...distractors.map((fact) => ({ ...fact, depth: other.next() })),
        ],
        placed.fork('prose'),
      )
      const last = chain.at(-1)!
      return {
        id: sampleId(name, request),
        question: question.text,
        document: planted.document,
        references: isPresent ? [last.value] : [],
        match: 'any',
        evidence: isPresent ? [planted.values[hops - 1]!] : [],
        supportingFacts: isPresent ? planted.statements.slice(0, hops) : [],
        labels: {
          kind: chain.map(({ relation }) => relation.kind.name).join(' > '),
          hops,
          order: settings.order,
          template: last.template,
          questionTemplate: question.template,
          heldOutTemplate: isHeldOut,
          heldOutQuestion: question.heldOut,
          split: settings.split,
          present: isPresent,
          decoys: distractors.length,
          ...(isPresent ? { depth: planted.values[hops - 1]!.startByte / planted.sizeBytes } : {}),
        },
      } satisfies Sample
    },
    score: scoreAnswer,
  }
}

/** One depth a fact, in the order of reasoning. */
function drawDepths(random: Random, hops: number, order: EvidenceOrder): number[] {
  const depths = Array.from({ length: hops }, () => random.next())
  return order === 'random' ? depths : depths.sort((a, b) => (order === 'forward' ? a - b : b - a))
}
