/**
 * Facts in prose: the question asks for one fact, which a document of real prose may or may not contain, among decoys of its
 * kind. Every sample is a pure function of seed, index and length.
 */
import { z } from 'zod'
import { createDecoy, type DecoyStyle, type Fact } from './facts/facts.ts'
import { loosen } from './facts/loose-statement.ts'
import { decoyDepths } from './prose/plant-statements.ts'
import { wordsOf } from './prose/prose-source.ts'
import {
  absentShare,
  defineProseTask,
  drawAskedFact,
  factLabels,
  kindsOf,
  ordinaryKinds,
} from './prose-task.ts'
import { createRandom, type Random } from './random.ts'
import { count, counts, share } from './settings/task-options.ts'
import { questionsFor, type TemplateChoice } from './templates.ts'

const name = 'facts-in-prose'

export const factsInProse = defineProseTask({
  name,
  description: 'One fact in prose among decoys of its kind, or only the decoys.',
  options: {
    kinds: kindsOf(ordinaryKinds, "every kind but RULER's"),
    decoysPer200k: counts(0)
      .default(8)
      .describe(
        'Decoys of the same kind per 200,000 tokens, rounded up, and at least 2 unless it is 0. From a list, each document draws one number.',
      ),
    decoys: z
      .union([count(0), z.literal('by-length')])
      .default('by-length')
      .describe(
        'Decoys of the same kind in every document, whatever its length, so only the text around them grows; `by-length`: the number follows from `decoysPer200k`.',
      ),
    subjectDecoys: counts(0)
      .default(1)
      .describe(
        'Other facts about the subject of the question, in every document that has decoys: the hardest to ignore. From a list, each document draws one number.',
      ),
    absentShare: absentShare(0.2, 'that do not hold the answer'),
    rememberedShare: share
      .default(0)
      .describe(
        "Share of the remaining documents whose fact is in the reader's notes from the start instead of in the text, so it must be kept. Over a long text nearly every rewrite is of this kind; short training documents have few.",
      ),
    // The fact's decoys have odd words too, so that these do not give the answer away.
    looseShare: share
      .default(0)
      .describe(
        'Share of the documents in which some or all words of the wanted statement, and of its decoys of the same kind, are replaced at random, so that training on a few hundred templates does not teach their words.',
      ),
    rememberedAs: z
      .enum(['value', 'statement'])
      .default('value')
      .describe('Whether such notes contain only the value or the whole statement.'),
  },
  placed: ({ seed, index, lengthTokens }) => createRandom(name, seed, index, lengthTokens),
  draw(draws) {
    const { request, placed, settings, templates } = draws
    const { seed, index, lengthTokens } = request
    const { fact: told, question } = drawAskedFact(draws)
    const isLoose = createRandom(name, 'loose', seed, index).chance(settings.looseShare)
    const worded = (statement: Fact, random: Random) =>
      isLoose ? loosen(statement, wordsOf(settings.prose), random) : statement
    const fact = worded(told, placed.fork('loose'))
    const isAnswerable = draws.isPresent
    const isRemembered =
      isAnswerable && createRandom(name, 'remembered', seed, index).chance(settings.rememberedShare)
    const isPresent = isAnswerable && !isRemembered
    const depth = placed.fork('depth').next()
    const counts = decoyCounts(settings, lengthTokens, createRandom(name, 'density', seed, index))
    const looseDecoys = placed.fork('loose-decoys')
    const decoys = drawDecoys(placed.fork('decoys'), fact, counts, questionsFor(templates)).map((decoy) =>
      decoy.kind === fact.kind ? worded(decoy, looseDecoys) : decoy,
    )
    const depths = decoyDepths(placed.fork('decoy-depths'), decoys.length, isPresent ? depth : undefined)
    return {
      question,
      statements: [
        ...(isPresent ? [{ ...fact, depth }] : []),
        ...decoys.map((decoy, i) => ({ ...decoy, depth: depths[i]! })),
      ],
      answers: isPresent ? [0] : [],
      references: isAnswerable ? [fact.value] : [],
      memory: isRemembered ? fact[settings.rememberedAs] : undefined,
      labels: {
        ...factLabels(fact),
        ...(isRemembered ? { remembered: true } : {}),
        decoys: counts.sameKind,
      },
    }
  },
})

interface DecoyCounts {
  readonly sameKind: number
  readonly sameSubject: number
}

type Counts = number | readonly number[]

function decoyCounts(
  settings: { readonly decoys: number | 'by-length' } & Readonly<
    Record<'decoysPer200k' | 'subjectDecoys', Counts>
  >,
  lengthTokens: number,
  random: Random,
): DecoyCounts {
  const { decoys, decoysPer200k, subjectDecoys } = settings
  const oneOf = (counts: Counts) => (typeof counts === 'number' ? counts : random.pick(counts))
  const density = oneOf(decoysPer200k)
  const byLength = density === 0 ? 0 : Math.max(2, Math.ceil((density * lengthTokens) / 200_000))
  const sameKind = decoys === 'by-length' ? byLength : decoys
  return { sameKind, sameSubject: sameKind === 0 ? 0 : oneOf(subjectDecoys) }
}

/** Decoys of the same kind (half of them share a part of the name), then other facts about the same subject. */
function drawDecoys(random: Random, fact: Fact, counts: DecoyCounts, choice: TemplateChoice): Fact[] {
  const templates = fact.kindHeldOut ? 'any' : choice
  const draw = (style: DecoyStyle) => createDecoy(random, fact, { style, templates })
  const sameKind = Array.from({ length: counts.sameKind }, (_, i) =>
    draw(i % 2 === 0 ? 'shared-name' : 'same-kind'),
  )
  return [...sameKind, ...Array.from({ length: counts.sameSubject }, () => draw('same-subject-other-kind'))]
}
