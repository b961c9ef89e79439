/**
 * Questions of several hops over invented people, places, works and firms: the memory must keep what the question asks for
 * only indirectly. The facts are planted in real prose among distractors that share names or relations with them.
 * After HotpotQA as MemAgent uses it (arXiv 2507.02259, section 4), with names that no model knows from elsewhere.
 * Question, facts and distractors are a pure function of seed and index; their positions also depend on the length.
 */
import { z } from 'zod'
import { drawGraph } from './multi-hop/graph.ts'
import { composeQuestion } from './multi-hop/question.ts'
import { absentShare, defineProseTask, type StatementNote } from './prose-task.ts'
import type { Random } from './random.ts'
import { count, counts } from './settings/task-options.ts'
import { questionsFor } from './templates.ts'

const order = z.enum(['forward', 'reverse', 'random'])
export type EvidenceOrder = z.output<typeof order>

export const multiHop = defineProseTask({
  name: 'multi-hop',
  description: 'A question whose answer takes one to four relations, each stated in another place.',
  options: {
    hops: counts(1, 4)
      .default([1, 2, 3, 4])
      .describe('Relations from the name in the question to the answer: a number, or a list to draw from.'),
    distractors: count(0).default(6).describe('Misleading statements, the same number at every length.'),
    order: order
      .default('random')
      .describe('Order of the evidence in the document, compared to the order of reasoning.'),
    absentShare: absentShare(0.1, 'in which one link of the chain is missing'),
  },
  draw({ asked, placed, settings, templates, isPresent }) {
    const { split } = settings
    const hops = asked.fork('hops').pick([settings.hops].flat())
    const { chain, distractors } = drawGraph(asked.fork('graph'), {
      hops,
      distractors: settings.distractors,
      split,
      templates,
    })
    const question = composeQuestion(asked.fork('question'), chain, {
      split,
      templates: questionsFor(templates),
    })
    const missing = isPresent ? -1 : asked.fork('missing').int(hops)
    const depths = drawDepths(placed.fork('depths'), hops, settings.order)
    const told = chain
      .map((fact, hop) => ({ ...fact, hop, depth: depths[hop]! }))
      .filter(({ hop }) => hop !== missing)
    const other = placed.fork('distractor-depths')
    return {
      question,
      statements: [...told, ...distractors.map((fact) => ({ ...fact, depth: other.next() }))],
      answers: isPresent ? [hops - 1] : [],
      supporting: isPresent ? hops : 0,
      notes: (order) => followed(order, told),
      labels: {
        kind: chain.map(({ relation }) => relation.kind.name).join(' > '),
        hops,
        order: settings.order,
        template: chain.at(-1)!.template,
        decoys: distractors.length,
      },
    }
  },
})

/** Facts of the chain in order; a fact told before its predecessors is not noted, as it means nothing yet. */
function followed(
  order: readonly number[],
  told: readonly { readonly hop: number; readonly value: string }[],
): StatementNote[] {
  let next = 0
  return order.flatMap((statement) => {
    const fact = told[statement]
    if (fact?.hop !== next) return []
    next += 1
    return [{ statement, line: 'link', text: fact.value }]
  })
}

/** One depth per fact, in the order of reasoning. */
function drawDepths(random: Random, hops: number, order: EvidenceOrder): number[] {
  const depths = Array.from({ length: hops }, () => random.next())
  return order === 'random' ? depths : depths.sort((a, b) => (order === 'forward' ? a - b : b - a))
}
