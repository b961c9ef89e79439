/**
 * Questions of several hops over invented people, places, works and firms: the memory must keep what the question asks for
 * only by way of something else. The facts stand in real prose among distractors that share names or relations with them.
 * After HotpotQA as MemAgent uses it (arXiv 2507.02259, section 4), with names that no model knows from elsewhere.
 * Question, facts and distractors are a pure function of seed and index; where they stand is one of the length, too.
 */
import { checkCounts, checkOneOf, checkShare } from './check-options.ts'
import { drawGraph } from './multi-hop/graph.ts'
import { composeQuestion } from './multi-hop/question.ts'
import { plantStatements } from './prose/plant-statements.ts'
import { isAbsent, type ProseTaskOptions, proseTaskSettings, sampleDraws } from './prose-task.ts'
import type { Random } from './random.ts'
import { sampleId } from './sample-id.ts'
import type { Sample, Task } from './task.ts'
import { scoreAnswer } from './verifiers/score.ts'

/** In the document, compared to the order of reasoning. */
export type EvidenceOrder = 'forward' | 'reverse' | 'random'

export interface MultiHopOptions extends ProseTaskOptions {
  /** Relations that lead from the name in the question to the answer: a number, or a list to draw from. @default [1, 2, 3, 4] */
  readonly hops?: number | readonly number[]
  /** Statements that lead astray, at every length. @default 6 */
  readonly distractors?: number
  /** @default 'random' */
  readonly order?: EvidenceOrder
  /** Share of the documents in which one link of the chain is missing, spread evenly over index + seed. @default 0.1 */
  readonly absentShare?: number
}

export function createMultiHop(options: MultiHopOptions): Task {
  const name = 'multi-hop'
  const own = { hops: [1, 2, 3, 4], distractors: 6, order: 'random', absentShare: 0.1 } as const
  const settings = proseTaskSettings<MultiHopOptions>(name, own, options)
  const hopChoices = checkCounts('hops', settings.hops, 1, 4)
  checkCounts('distractors', settings.distractors, 0)
  checkShare(settings.absentShare)
  checkOneOf('order', settings.order, ['forward', 'reverse', 'random'])
  return {
    name,
    async sample(request) {
      const { asked, placed, isHeldOut } = sampleDraws(name, request, settings)
      const isPresent = !isAbsent(request.index + request.seed, settings.absentShare)
      const hops = asked.fork('hops').pick(hopChoices)
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
