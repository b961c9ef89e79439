/**
 * Needles in a haystack, after RULER's `niah.py` (arXiv 2404.06654): single, several keys, several values, several queries;
 * in noise, essays or other needles. Needles and question are the same at every length.
 *
 * Keys and values come from the evaluation pool, so no task here trains on them. Positions are uniform: before any line in
 * noise and needles, as in RULER; at any depth in essays, where RULER has a grid of 40.
 */
import type { ByteRange, TextDocument } from '@memagent/core'
import { uuid } from '../facts/codes.ts'
import { drawFromPool } from '../facts/pools.ts'
import { magicNumber } from '../facts/values.ts'
import { plantInProse } from '../prose/plant.ts'
import type { ProseSource } from '../prose/prose-source.ts'
import { createRandom, type Random } from '../random.ts'
import { sampleId } from '../sample-id.ts'
import type { Sample, SampleRequest, Task } from '../task.ts'
import type { NeedleType, NiahParameters } from './configurations.ts'
import { commonDeviations, outputLimit } from './deviations.ts'
import { drawDistinct } from './draw.ts'
import { needleQuestion } from './needle-question.ts'
import { noiseLine } from './noise.ts'
import { plantInLines } from './plant-in-lines.ts'
import { scoreRuler } from './string-match.ts'
import type { WordLists } from './word-lists.ts'

export interface NiahSources {
  readonly words: WordLists
  /** Required for essays. */
  readonly essays?: { readonly prose: ProseSource; readonly deviation: string | undefined } | undefined
}

interface Needle {
  readonly key: string
  readonly value: string
  readonly text: string
}

export function createNiah(name: string, parameters: NiahParameters, sources: NiahSources): Task {
  return {
    name,
    deviations: deviationsOf(parameters, sources),
    async sample(request) {
      const { index, seed, lengthTokens } = request
      const asked = createRandom(name, seed, index)
      const { needles, wanted, queries } = drawNeedles(asked, parameters, sources.words)
      const planted = plant(name, parameters, sources, needles, request, asked.fork('placed', lengthTokens))
      const evidence = wanted.map((needle): ByteRange => {
        const { value, text } = needles[needle]!
        const startByte =
          planted.ranges[needle]!.startByte + Buffer.byteLength(text.slice(0, text.lastIndexOf(value)))
        return { startByte, endByte: startByte + Buffer.byteLength(value) }
      })
      return {
        id: sampleId(name, request),
        ...needleQuestion(queries, parameters.valueType.slice(0, -1), wanted.length),
        document: planted.document,
        references: wanted.map((needle) => needles[needle]!.value),
        match: 'all',
        evidence,
        supportingFacts: wanted.map((needle) => planted.ranges[needle]!),
        labels: {
          kind: name,
          haystack: parameters.haystack,
          present: true,
          otherNeedles: needles.length - wanted.length,
          depth: evidence[0]!.startByte / planted.sizeBytes,
        },
      } satisfies Sample
    },
    score: scoreRuler,
  }
}

/** All needles, the indices of the wanted ones, and the keys asked for. No two keys or values are equal. */
function drawNeedles(
  random: Random,
  { keyType, valueType, keys, valuesPerKey, queries }: NiahParameters,
  words: WordLists,
): { needles: Needle[]; wanted: number[]; queries: string[] } {
  const taken = new Set<string>()
  const draw = (type: NeedleType): string => {
    const text = drawFromPool(
      random,
      'eval',
      (r) => drawNeedleText(r, type, words),
      (drawn) => drawn,
      (drawn) => !taken.has(drawn),
    )
    taken.add(text)
    return text
  }
  const keyCount = Math.max(keys, queries)
  const needles: Needle[] = []
  for (let key = 0; key < keyCount; key += 1) {
    const subject = draw(keyType)
    for (let i = 0; i < valuesPerKey; i += 1) {
      needles.push(needleOf(valueType, subject, draw(valueType)))
    }
  }
  const askedKeys = drawDistinct(random, queries, keyCount)
  return {
    needles,
    wanted: askedKeys.flatMap((key) =>
      Array.from({ length: valuesPerKey }, (_, i) => key * valuesPerKey + i),
    ),
    queries: askedKeys.map((key) => needles[key * valuesPerKey]!.key),
  }
}

function plant(
  name: string,
  { haystack, keyType, valueType }: NiahParameters,
  { words, essays }: NiahSources,
  needles: readonly Needle[],
  { seed, index, lengthTokens, countTokens }: SampleRequest,
  random: Random,
): { readonly document: TextDocument; readonly sizeBytes: number; readonly ranges: readonly ByteRange[] } {
  const documentName = `${name}-${seed}-${index}`
  const places = random.fork('places')
  if (haystack === 'essay') {
    return plantInProse({
      name: documentName,
      prose: essays!.prose,
      plants: needles.map(({ text }) => ({ text, depth: places.next() })),
      lengthTokens,
      countTokens,
      random: random.fork('prose'),
    })
  }
  const taken = new Set(needles.flatMap(({ key, value }) => [key, value]))
  return plantInLines({
    name: documentName,
    haystack:
      haystack === 'noise'
        ? function* () {
            for (;;) yield noiseLine
          }
        : function* () {
            const drawn = random.fork('haystack')
            const draw = (type: NeedleType): string => {
              for (;;) {
                const text = drawNeedleText(drawn, type, words)
                if (!taken.has(text)) return text
              }
            }
            for (;;) yield needleOf(valueType, draw(keyType), draw(valueType)).text
          },
    statements: needles.map(({ text }) => text),
    place: (lineCount) => drawDistinct(places, needles.length, lineCount),
    lengthTokens,
    countTokens,
  })
}

function drawNeedleText(random: Random, type: NeedleType, { adjectives, nouns }: WordLists): string {
  switch (type) {
    case 'words':
      return `${random.pick(adjectives)}-${random.pick(nouns)}`
    case 'numbers':
      return magicNumber(random)
    case 'uuids':
      return uuid(random)
  }
}

const needleOf = (valueType: NeedleType, key: string, value: string): Needle => ({
  key,
  value,
  text: `One of the special magic ${valueType} for ${key} is: ${value}.`,
})

const needlePools =
  'The keys and values of needles that are placed are all different, and from a part of all possible ones that training never draws; RULER draws each from all of them, and two may be alike.'

function deviationsOf(
  { haystack, keyType, valueType }: NiahParameters,
  { words, essays }: NiahSources,
): readonly string[] {
  const found = [...commonDeviations, outputLimit(128), needlePools]
  if ((keyType === 'words' || valueType === 'words') && words.deviation !== undefined) {
    found.push(`Needles have ${words.deviation}.`)
  }
  if (haystack === 'essay') {
    found.push(
      'Needles stand at depths drawn uniformly; RULER draws them from 40 depths.',
      'The haystack begins at a drawn paragraph and keeps its paragraphs; RULER begins at its beginning and joins all lines.',
      'A needle may be a paragraph of its own, where the depth drawn is next to the end of one; RULER’s stand between two sentences of running text.',
    )
    if (essays?.deviation !== undefined) {
      found.push(essays.deviation)
    }
  }
  if (haystack === 'needle') {
    found.push(
      'No needle of the haystack has a key or a value of the needle asked for; in RULER it may happen.',
    )
  }
  return found
}
