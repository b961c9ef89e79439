/**
 * RULER's needles in prose (arXiv 2404.06654, `niah.py`): "One of the special magic numbers for {key} is: {value}.", with
 * its wording of sentences and questions. Unlike RULER: real prose of any length, decoy keys by the length, documents
 * without the answer, and depths drawn freely instead of from 40 steps.
 */
import { z } from 'zod'
import { createDecoy, createFact } from './facts/facts.ts'
import { type Plant, plantInProse } from './prose/plant.ts'
import { decoyDepths } from './prose/plant-statements.ts'
import { isAbsent, split } from './prose-task.ts'
import { createRandom, type Random } from './random.ts'
import { needleQuestion } from './ruler/needle-question.ts'
import { sampleId } from './sample-id.ts'
import { count, prose, readTaskOptions, share } from './settings/task-options.ts'
import type { Task } from './task.ts'
import { scoreAnswer } from './verifiers/score.ts'

const needleValues = z.enum(['number', 'word', 'uuid'])
export type NeedleValues = z.output<typeof needleValues>

const needlesInProseOptions = z.strictObject({
  prose,
  /** @default 'number' */
  values: needleValues.default('number'),
  /** Needles of other keys that are always there: RULER's `num_needle_k` less the keys asked for. @default 0 */
  otherKeys: count(0).default(0),
  /** Values of each key asked for: `num_needle_v`. @default 1 */
  valuesPerKey: count(1).default(1),
  /** Keys asked for in one question: `num_needle_q`. @default 1 */
  queries: count(1).default(1),
  /** @default 'eval' */
  split,
  /** Decoy keys per 200,000 tokens, rounded up, beside `otherKeys`. @default 8 */
  decoysPer200k: z.number().min(0).default(8),
  /** @default 0.2 */
  absentShare: share.default(0.2),
})
export type NeedlesInProseOptions = z.input<typeof needlesInProseOptions>

/** RULER's settings by name: `niah_single`, `niah_multikey`, `niah_multivalue`, `niah_multiquery`. */
export const needleVariants = {
  single: {},
  'multi-key': { otherKeys: 3 },
  'multi-value': { valuesPerKey: 4 },
  'multi-query': { queries: 4 },
} as const satisfies Record<string, Omit<NeedlesInProseOptions, 'prose'>>

interface Needle {
  readonly key: string
  readonly value: string
  readonly text: string
}

/** @throws TaskError for options that do not exist, and for wrong values */
export function createNeedlesInProse(options: NeedlesInProseOptions): Task {
  const name = 'needles-in-prose'
  const settings = readTaskOptions(name, needlesInProseOptions, options)
  return {
    name,
    async sample(request) {
      const { index, seed, lengthTokens, countTokens } = request
      const asked = createRandom(name, settings.values, settings.queries, settings.valuesPerKey, seed, index)
      const placed = asked.fork('placed', lengthTokens)
      const needles = drawNeedles(asked, settings)
      const keys = [...new Set(needles.map((needle) => needle.key))]
      const isPresent = !isAbsent(index + seed, settings.absentShare)
      const decoyCount = settings.otherKeys + Math.ceil((settings.decoysPer200k * lengthTokens) / 200_000)
      const decoys = drawDecoys(placed.fork('decoys'), needles, settings, decoyCount)
      const depthRandom = placed.fork('depth')
      const answerPlants: Plant[] = needles.map((needle) => ({
        text: needle.text,
        depth: depthRandom.next(),
      }))
      const depths = decoyDepths(
        placed.fork('decoy-depths'),
        decoyCount,
        isPresent ? answerPlants[0]!.depth : undefined,
      )
      const plants: Plant[] = decoys.map((decoy, i) => ({ text: decoy.text, depth: depths[i]! }))
      const planted = plantInProse({
        name: `${name}-${seed}-${index}`,
        prose: settings.prose,
        plants: isPresent ? [...answerPlants, ...plants] : plants,
        lengthTokens,
        countTokens,
        random: placed.fork('prose'),
      })
      const evidence = isPresent
        ? needles.map((needle, i) => {
            const startByte = planted.ranges[i]!.startByte + needle.text.lastIndexOf(needle.value)
            return { startByte, endByte: startByte + needle.value.length }
          })
        : []
      return {
        id: sampleId(name, request),
        ...needleQuestion(keys, settings.values, needles.length),
        document: planted.document,
        references: isPresent ? needles.map((needle) => needle.value) : [],
        match: needles.length > 1 ? 'all' : 'any',
        evidence,
        labels: {
          kind: `ruler-${settings.values}`,
          keys: keys.length,
          valuesPerKey: settings.valuesPerKey,
          split: settings.split,
          present: isPresent,
          decoys: decoyCount,
          ...(isPresent ? { depth: evidence[0]!.startByte / planted.sizeBytes } : {}),
        },
      }
    },
    score: scoreAnswer,
  }
}

type Settings = z.output<typeof needlesInProseOptions>

function drawNeedles(random: Random, settings: Settings): Needle[] {
  const kind = `ruler-${settings.values}`
  const facts: { subject: string; value: string; statement: string }[] = []
  for (let query = 0; query < settings.queries; query += 1) {
    const common = { kind, split: settings.split, templates: 'any' } as const
    const first = createFact(random, { ...common, avoid: facts })
    facts.push(first)
    for (let i = 1; i < settings.valuesPerKey; i += 1) {
      facts.push(createFact(random, { ...common, subject: first.subject, avoid: facts }))
    }
  }
  return facts.map((fact) => ({ key: fact.subject, value: fact.value, text: fact.statement }))
}

function drawDecoys(random: Random, needles: readonly Needle[], settings: Settings, count: number): Needle[] {
  const facts = needles.map((needle) => ({ subject: needle.key, value: needle.value }))
  const model = createFact(random, {
    kind: `ruler-${settings.values}`,
    split: settings.split,
    templates: 'any',
    avoid: facts,
  })
  return Array.from({ length: count }, (_, i) => {
    const style = i % 2 === 0 ? 'shared-name' : 'same-kind'
    const decoy = createDecoy(random, model, { style, templates: 'any', avoid: facts })
    return { key: decoy.subject, value: decoy.value, text: decoy.statement }
  })
}
