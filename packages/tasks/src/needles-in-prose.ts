/**
 * RULER's needles in prose (arXiv 2404.06654, `niah.py`): "One of the special magic numbers for {key} is: {value}.", with
 * its wording of sentences and questions. Unlike RULER: real prose of any length, decoy keys in proportion to the length,
 * documents without the answer, and depths drawn freely instead of from 40 steps.
 */
import { z } from 'zod'
import { defineTask } from './define-task.ts'
import { createDecoy, createFact, type Fact } from './facts/facts.ts'
import { decoyDepths } from './prose/plant-statements.ts'
import { absentShare, firstOf, isAbsent, plantSample, split } from './prose-task.ts'
import { createRandom, type Random } from './random.ts'
import { needleQuestion } from './ruler/needle-question.ts'
import { count, prose } from './settings/task-options.ts'
import type { Task } from './task.ts'
import { scoreAnswer } from './verifiers/score.ts'

const name = 'needles-in-prose'

const options = z.strictObject({
  prose,
  values: z
    .enum(['number', 'word', 'uuid'])
    .default('number')
    .describe('Kind of value that the needles hold.'),
  otherKeys: count(0)
    .default(0)
    .describe("Needles with other keys in every document: RULER's `num_needle_k` minus the keys asked for."),
  valuesPerKey: count(1).default(1).describe('Values of each key asked for: `num_needle_v`.'),
  queries: count(1).default(1).describe('Keys asked for in one question: `num_needle_q`.'),
  split,
  decoysPer200k: z
    .number()
    .min(0)
    .default(8)
    .describe('Decoy keys per 200,000 tokens, rounded up, in addition to `otherKeys`.'),
  absentShare: absentShare(0.2, 'that do not hold the answer'),
})
type Settings = z.output<typeof options>

export const needlesInProse = defineTask({
  name,
  description: "RULER's needles (numbers, words or UUIDs with keys) in prose of any length.",
  options,
  create: (settings): Task => ({
    name,
    async sample(request) {
      const { index, seed, lengthTokens } = request
      const asked = createRandom(name, settings.values, settings.queries, settings.valuesPerKey, seed, index)
      const placed = asked.fork('placed', lengthTokens)
      const needles = drawNeedles(asked, settings)
      const keys = [...new Set(needles.map(({ subject }) => subject))]
      const isPresent = !isAbsent(index + seed, settings.absentShare)
      const decoyCount = settings.otherKeys + Math.ceil((settings.decoysPer200k * lengthTokens) / 200_000)
      const decoys = drawDecoys(placed.fork('decoys'), needles, settings, decoyCount)
      const answerDepths = placed.fork('depth')
      const placedNeedles = needles.map((needle) => ({ ...needle, depth: answerDepths.next() }))
      const depths = decoyDepths(
        placed.fork('decoy-depths'),
        decoyCount,
        isPresent ? placedNeedles[0]!.depth : undefined,
      )
      const { question: text, query } = needleQuestion(keys, settings.values, needles.length)
      return plantSample(
        name,
        request,
        settings,
        {
          question: { text, query },
          statements: [
            ...(isPresent ? placedNeedles : []),
            ...decoys.map((decoy, i) => ({ ...decoy, depth: depths[i]! })),
          ],
          answers: isPresent ? firstOf(needles.length) : [],
          match: needles.length > 1 ? 'all' : 'any',
          labels: {
            kind: kindOf(settings),
            keys: keys.length,
            valuesPerKey: settings.valuesPerKey,
            decoys: decoyCount,
          },
        },
        placed.fork('prose'),
      )
    },
    score: scoreAnswer,
  }),
})

const kindOf = ({ values }: Settings): string => `ruler-${values}`

function drawNeedles(random: Random, settings: Settings): Fact[] {
  const facts: Fact[] = []
  for (let query = 0; query < settings.queries; query += 1) {
    const common = { kind: kindOf(settings), split: settings.split, templates: 'any' } as const
    const first = createFact(random, { ...common, avoid: facts })
    facts.push(first)
    for (let i = 1; i < settings.valuesPerKey; i += 1) {
      facts.push(createFact(random, { ...common, subject: first.subject, avoid: facts }))
    }
  }
  return facts
}

function drawDecoys(random: Random, avoid: readonly Fact[], settings: Settings, count: number): Fact[] {
  const model = createFact(random, { kind: kindOf(settings), split: settings.split, templates: 'any', avoid })
  return Array.from({ length: count }, (_, i) => {
    const style = i % 2 === 0 ? 'shared-name' : 'same-kind'
    return createDecoy(random, model, { style, templates: 'any', avoid })
  })
}
