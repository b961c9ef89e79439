/**
 * Facts in prose: one fact is asked for; it stands, or does not, in a document of real prose among decoys of its kind.
 * Every sample is a pure function of seed, index and length.
 */
import { z } from 'zod'
import { createDecoy, type DecoyStyle, type Fact, type TemplateChoice } from './facts/facts.ts'
import { loosen } from './facts/loose-statement.ts'
import { type Plant, plantInProse } from './prose/plant.ts'
import { decoyDepths } from './prose/plant-statements.ts'
import { wordsOf } from './prose/prose-source.ts'
import {
  drawAskedFact,
  factLabels,
  isAbsent,
  isHeldOutTurn,
  kindNames,
  ordinaryKinds,
  proseTaskOptions,
} from './prose-task.ts'
import { createRandom, type Random } from './random.ts'
import { sampleId } from './sample-id.ts'
import { count, counts, readTaskOptions, share } from './settings/task-options.ts'
import type { Sample, Task } from './task.ts'
import { scoreAnswer } from './verifiers/score.ts'

const factsInProseOptions = z.strictObject({
  ...proseTaskOptions,
  /** Names of kinds. @default every kind but RULER's */
  kinds: kindNames.default(ordinaryKinds),
  /** Decoys of the same kind per 200,000 tokens, rounded up, at least 2; of several numbers each document draws one. @default 8 */
  decoysPer200k: counts(0).default(8),
  /**
   * Decoys of the same kind in every document: a number, whatever the length, so that what is asked stays the same and
   * only the text around it grows; or `by-length`, as many as `decoysPer200k` says. @default 'by-length'
   */
  decoys: z.union([count(0), z.literal('by-length')]).default('by-length'),
  /**
   * Other facts about the very subject asked for, in every document that has decoys: the hardest to leave alone. Of several
   * numbers each document draws one. @default 1
   */
  subjectDecoys: counts(0).default(1),
  /** Share of the documents that do not hold the answer, spread evenly over index + seed. @default 0.2 */
  absentShare: share.default(0.2),
  /**
   * Share of the other documents whose fact is not in the text but in the reader's notes from the start, so that it has
   * to be kept. Over a long text nearly every rewrite is of this kind, and a short training document has few. @default 0
   */
  rememberedShare: share.default(0),
  /**
   * Share of the documents whose asked statement is told in other words than the templates' (`facts/loose-statement.ts`), so
   * that training on a few hundred templates does not teach their words. Its decoys of the same kind are too: odd words alone
   * must not tell which one answers. @default 0
   */
  looseShare: share.default(0),
  /** Notes are the value alone, or the whole statement. @default 'value' */
  rememberedAs: z.enum(['value', 'statement']).default('value'),
})
export type FactsInProseOptions = z.input<typeof factsInProseOptions>

/** @throws TaskError for options that do not exist, and for wrong values */
export function createFactsInProse(options: FactsInProseOptions): Task {
  const name = 'facts-in-prose'
  const settings = readTaskOptions(name, factsInProseOptions, options)
  return {
    name,
    async sample(request) {
      const { index, seed, lengthTokens, countTokens } = request
      const asked = createRandom(name, seed, index)
      const placed = createRandom(name, seed, index, lengthTokens)
      const isHeldOut = isHeldOutTurn(settings.templates, index + seed)
      const { fact: told, question } = drawAskedFact(asked, settings, isHeldOut)
      const isLoose = createRandom(name, 'loose', seed, index).chance(settings.looseShare)
      const worded = (statement: Fact, random: Random) =>
        isLoose ? loosen(statement, wordsOf(settings.prose), random) : statement
      const fact = worded(told, placed.fork('loose'))
      const isAnswerable = !isAbsent(index + seed, settings.absentShare)
      const isRemembered =
        isAnswerable && createRandom(name, 'remembered', seed, index).chance(settings.rememberedShare)
      const isPresent = isAnswerable && !isRemembered
      const depth = placed.fork('depth').next()
      const counts = decoyCounts(settings, lengthTokens, createRandom(name, 'density', seed, index))
      const looseDecoys = placed.fork('loose-decoys')
      const decoys = drawDecoys(placed.fork('decoys'), fact, counts, isHeldOut).map((decoy) =>
        decoy.kind === fact.kind ? worded(decoy, looseDecoys) : decoy,
      )
      const depths = decoyDepths(placed.fork('decoy-depths'), decoys.length, isPresent ? depth : undefined)
      const plants: Plant[] = decoys.map((decoy, i) => ({ text: decoy.statement, depth: depths[i]! }))
      const planted = plantInProse({
        name: `${name}-${seed}-${index}`,
        prose: settings.prose,
        plants: isPresent ? [{ text: fact.statement, depth }, ...plants] : plants,
        lengthTokens,
        countTokens,
        random: placed.fork('prose'),
      })
      const evidence = isPresent ? [valueRange(fact, planted.ranges[0]!.startByte)] : []
      return {
        id: sampleId(name, request),
        question: question.text,
        document: planted.document,
        ...(isRemembered ? { memory: settings.rememberedAs === 'value' ? fact.value : fact.statement } : {}),
        references: isAnswerable ? [fact.value] : [],
        match: 'any',
        evidence,
        labels: {
          ...factLabels(fact, question),
          split: settings.split,
          present: isPresent,
          ...(isRemembered ? { remembered: true } : {}),
          decoys: decoys.filter((decoy) => decoy.kind === fact.kind).length,
          ...(isPresent ? { depth: evidence[0]!.startByte / planted.sizeBytes } : {}),
        },
      } satisfies Sample
    },
    score: scoreAnswer,
  }
}

interface DecoyCounts {
  readonly sameKind: number
  readonly sameSubject: number
}

function decoyCounts(
  { decoys, decoysPer200k, subjectDecoys }: z.output<typeof factsInProseOptions>,
  lengthTokens: number,
  random: Random,
): DecoyCounts {
  const oneOf = (counts: number | readonly number[]) =>
    typeof counts === 'number' ? counts : random.pick(counts)
  const density = oneOf(decoysPer200k)
  const byLength = density === 0 ? 0 : Math.max(2, Math.ceil((density * lengthTokens) / 200_000))
  const sameKind = decoys === 'by-length' ? byLength : decoys
  return { sameKind, sameSubject: sameKind === 0 ? 0 : oneOf(subjectDecoys) }
}

/** Those of the same kind (half of them share a part of the name), then those about the same subject. */
function drawDecoys(random: Random, fact: Fact, counts: DecoyCounts, isHeldOut: boolean): Fact[] {
  const templates: TemplateChoice = isHeldOut || fact.kindHeldOut ? 'any' : 'train'
  const draw = (style: DecoyStyle) => createDecoy(random, fact, { style, templates })
  const sameKind = Array.from({ length: counts.sameKind }, (_, i) =>
    draw(i % 2 === 0 ? 'shared-name' : 'same-kind'),
  )
  return [...sameKind, ...Array.from({ length: counts.sameSubject }, () => draw('same-subject-other-kind'))]
}

function valueRange(fact: Fact, startByte: number): { startByte: number; endByte: number } {
  const start = startByte + Buffer.byteLength(fact.statement.slice(0, fact.valueStart))
  return { startByte: start, endByte: start + Buffer.byteLength(fact.value) }
}
