/**
 * Plants sentences in prose: plans a document of a given length in tokens without writing it, and streams it each time it is
 * opened. The plan is a walk over the paragraphs' token counts and byte lengths, each counted once.
 */
import { createHash } from 'node:crypto'
import { TaskError, type TextDocument } from '@memagent/core'
import type { Random } from '../random.ts'
import { writtenPieces } from '../written-pieces.ts'
import { boundaryNear, standsAlone, wrap } from './insertion.ts'
import type { ProseSource } from './prose-source.ts'

export interface Plant {
  readonly text: string
  /** Where in the document, 0..1 of its length. */
  readonly depth: number
}

export interface PlantedDocument {
  readonly document: TextDocument
  readonly sizeBytes: number
  /** Counted by `countTokens`, paragraph by paragraph. */
  readonly tokens: number
  /** Positions of the planted texts, in the given order, in UTF-8 bytes. */
  readonly ranges: readonly { readonly startByte: number; readonly endByte: number }[]
}

export interface PlantOptions {
  readonly name: string
  readonly prose: ProseSource
  readonly plants: readonly Plant[]
  readonly lengthTokens: number
  /** Pass the same function each time: paragraph counts are cached per function. */
  readonly countTokens: (text: string) => number
  /** Draws the order of the files and the starting paragraph. */
  readonly random: Random
}

interface Insertion {
  /** Index of the step (paragraph of the walk) that it goes into, and the number of characters before it there. */
  readonly step: number
  readonly offset: number
  readonly text: string
}

/** @throws TaskError if the plants alone exceed the document's length */
export function plantInProse(options: PlantOptions): PlantedDocument {
  const { prose, plants, lengthTokens, countTokens } = options
  const plantTokens = plants.reduce(
    (sum, plant) => sum + tokensInContext(`${plant.text}\n\n`, countTokens),
    0,
  )
  const proseTokens = lengthTokens - plantTokens
  if (!Number.isSafeInteger(lengthTokens) || proseTokens < 1) {
    throw new TaskError({
      code: 'task/document-too-short',
      message: `${plants.length} facts of ${plantTokens} tokens do not fit a document of ${lengthTokens} tokens`,
      hint: 'Ask for a longer document or for fewer decoys.',
      details: { lengthTokens, plantTokens, plants: plants.length },
    })
  }
  const measure = measureFor(prose, countTokens)
  const order = drawOrder(options.random, prose)
  const waiting = plants.map((plant, index) => ({ ...plant, index })).sort((a, b) => a.depth - b.depth)
  const insertions: Insertion[] = []
  const ranges: { startByte: number; endByte: number }[] = new Array(plants.length)
  const isFileStart = new Set(prose.fileStarts)
  const textStarts: number[] = []
  let next = 0
  let tokens = 0
  let bytes = 0
  for (let step = 0; ; step += 1) {
    const index = order[step % order.length]!
    const whole = prose.paragraphs[index]!
    if (step === 0 || isFileStart.has(index)) textStarts.push(bytes)
    const stepTokens = Math.min(measure.tokens(index), proseTokens - tokens)
    const isLast = tokens + stepTokens >= proseTokens
    const text = isLast ? cutToTokens(whole, stepTokens, countTokens) : whole
    let offset = 0
    let insertedBytes = 0
    for (
      ;
      next < waiting.length && (isLast || waiting[next]!.depth * proseTokens < tokens + stepTokens);
      next += 1
    ) {
      const plant = waiting[next]!
      const fraction = (plant.depth * proseTokens - tokens) / stepTokens
      // Plants in the same paragraph keep the order of their depths.
      offset = Math.max(offset, boundaryNear(text, fraction, standsAlone(plant.text)))
      const inserted = wrap(plant.text, text, offset)
      const startByte = bytes + insertedBytes + Buffer.byteLength(text.slice(0, offset)) + inserted.lead
      ranges[plant.index] = { startByte, endByte: startByte + Buffer.byteLength(plant.text) }
      insertedBytes += Buffer.byteLength(inserted.text)
      insertions.push({ step, offset, text: inserted.text })
    }
    bytes += insertedBytes + (isLast ? Buffer.byteLength(text) : measure.bytes(index))
    tokens += stepTokens
    if (isLast) {
      const plan = { name: options.name, prose, order, steps: step + 1, lastLength: text.length, insertions }
      return {
        document: { ...documentOf(plan, bytes), textStarts },
        sizeBytes: bytes,
        tokens: tokens + plantTokens,
        ranges,
      }
    }
  }
}

interface Plan {
  readonly name: string
  readonly prose: ProseSource
  readonly order: Int32Array
  readonly steps: number
  /** Characters of the last paragraph that belong to the document. */
  readonly lastLength: number
  readonly insertions: readonly Insertion[]
}

function documentOf(plan: Plan, sizeBytes: number): TextDocument {
  return {
    name: plan.name,
    sizeBytes,
    isReopenable: true,
    async *open(signal) {
      yield* writtenPieces(plan.name, writtenTexts(plan), signal)
    },
    async fingerprint() {
      const { prose, order, steps, lastLength, insertions } = plan
      return createHash('sha256')
        .update(JSON.stringify([prose.fingerprint, order[0], steps, lastLength, insertions]))
        .update(order)
        .digest('hex')
    },
  }
}

/** The paragraphs, with what is planted in them. */
function* writtenTexts(plan: Plan): Generator<string> {
  const { prose, order, steps, lastLength, insertions } = plan
  let next = 0
  for (let step = 0; step < steps; step += 1) {
    const whole = prose.paragraphs[order[step % order.length]!]!
    const text = step === steps - 1 ? whole.slice(0, lastLength) : whole
    let paragraph = ''
    let written = 0
    for (; insertions[next]?.step === step; next += 1) {
      const { offset, text: planted } = insertions[next]!
      paragraph += text.slice(written, offset) + planted
      written = offset
    }
    yield paragraph + text.slice(written)
  }
}

/** Files in random order, read in a circle from a random paragraph. */
function drawOrder(random: Random, prose: ProseSource): Int32Array {
  const { paragraphs, fileStarts } = prose
  const shuffled = new Int32Array(paragraphs.length)
  let filled = 0
  for (const file of random.shuffle(fileStarts.map((_, i) => i))) {
    const end = fileStarts[file + 1] ?? paragraphs.length
    for (let i = fileStarts[file]!; i < end; i += 1) {
      shuffled[filled] = i
      filled += 1
    }
  }
  const start = random.int(paragraphs.length)
  const order = new Int32Array(paragraphs.length)
  order.set(shuffled.subarray(start))
  order.set(shuffled.subarray(0, start), paragraphs.length - start)
  return order
}

const measures = new WeakMap<ProseSource, WeakMap<(text: string) => number, ProseMeasure>>()

interface ProseMeasure {
  tokens(paragraph: number): number
  bytes(paragraph: number): number
}

function measureFor(prose: ProseSource, countTokens: (text: string) => number): ProseMeasure {
  const known = measures.get(prose) ?? new WeakMap<(text: string) => number, ProseMeasure>()
  measures.set(prose, known)
  const existing = known.get(countTokens)
  if (existing !== undefined) {
    return existing
  }
  const tokenCounts = new Int32Array(prose.paragraphs.length).fill(-1)
  const byteCounts = new Int32Array(prose.paragraphs.length).fill(-1)
  const cached = (counts: Int32Array, count: (text: string) => number) => (paragraph: number) => {
    if (counts[paragraph]! < 0) {
      counts[paragraph] = count(prose.paragraphs[paragraph]!)
    }
    return counts[paragraph]!
  }
  const measure = {
    tokens: cached(tokenCounts, (text) => tokensInContext(text, countTokens)),
    bytes: cached(byteCounts, Buffer.byteLength),
  }
  known.set(countTokens, measure)
  return measure
}

/** Tokens of a text followed by a word: tokenizers split trailing white space accordingly. */
const tokensInContext = (text: string, countTokens: (text: string) => number): number =>
  countTokens(`${text}A`) - countTokens('A')

/** The longest beginning of whole words with at most this many tokens. */
function cutToTokens(text: string, maxTokens: number, countTokens: (text: string) => number): string {
  if (maxTokens <= 0) {
    return ''
  }
  const ends = [...text.matchAll(/\s+/g)].map((match) => match.index + match[0].length)
  let low = 0
  let high = ends.length
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (countTokens(text.slice(0, ends[middle - 1]!)) <= maxTokens) {
      low = middle
    } else {
      high = middle - 1
    }
  }
  return low === 0 ? '' : text.slice(0, ends[low - 1]!)
}
