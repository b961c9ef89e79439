/**
 * Finds the chunks of a document for a query. A chunk scores as its best passage (MaxP of Dai and Callan, arXiv 1905.09217), so a
 * long one is not passed over because little of it is to the point. The document is streamed, and little of it is held.
 */
import type { Chunk } from '../chunking/chunker.ts'
import { createTextDocument } from '../documents/text-document.ts'
import type { EmbeddingModel } from '../embeddings/openai-embeddings.ts'
import { createEstimateTokenizer } from '../tokenizers/estimate.ts'
import { Bm25 } from './bm25.ts'
import { embedStream } from './embed-stream.ts'
import { passagesOf, textOf } from './passages.ts'
import { type TermCounts, termCountsOf } from './search-terms.ts'
import { cosine } from './top-passages.ts'

export interface ScoredPassage {
  /** Ordinal of its chunk. */
  readonly ordinal: number
  readonly score: number
}

export interface ChunkSearch {
  readonly query: string
  /** Estimated tokens of a passage. */
  readonly passageTokens: number
  /** How many of the best chunks are wanted. */
  readonly most: number
  /** Opens the document's chunks from the start; the same ones on every call. */
  readonly open: () => AsyncIterable<Chunk>
}

/** The most distinct combinations of query terms to keep; beyond that, passages are read a second time instead. */
const mostPatterns = 20_000

/**
 * Passages with their BM25 scores, in document order: at least all that can be the best of one of the best chunks. The weight of
 * a term is known only after the last passage, but of passages with the same counts of query terms the shorter one is always
 * better, so few are kept. If a query has so many terms that nearly every passage has other counts, the document is opened twice.
 */
export async function* scoresByWords({
  query,
  passageTokens,
  most,
  open,
}: ChunkSearch): AsyncGenerator<ScoredPassage> {
  const bm25 = new Bm25(query)
  let hasMany = false
  const alike = new Map<string, { readonly places: readonly number[]; readonly shortest: BestChunks }>()
  for await (const chunk of open()) {
    for (const counts of await passageTermsOf(chunk, passageTokens)) {
      const { terms, places } = bm25.countsOf(counts)
      bm25.add({ terms, places })
      if (hasMany) continue
      const key = places.join()
      const { shortest } = alike.get(key) ?? { shortest: new BestChunks(most) }
      alike.set(key, { places, shortest })
      // Passages without a term of the query are all equal.
      shortest.add({ ordinal: chunk.ordinal, score: places.length === 0 ? 0 : -terms })
      if (alike.size < mostPatterns) continue
      hasMany = true
      alike.clear()
    }
  }
  if (hasMany) {
    for await (const chunk of open()) {
      for (const counts of await passageTermsOf(chunk, passageTokens)) {
        yield { ordinal: chunk.ordinal, score: bm25.score(bm25.countsOf(counts)) }
      }
    }
    return
  }
  const scored = [...alike.values()].flatMap(({ places, shortest }) =>
    shortest.best.map(({ ordinal, score }) => ({ ordinal, score: bm25.score({ terms: -score, places }) })),
  )
  yield* scored.sort((a, b) => a.ordinal - b.ordinal)
}

/** How to search by meaning. */
export interface EmbeddingSearch {
  readonly model: EmbeddingModel
  /** Text that the model expects before a query, such as `query: `. @default nothing */
  readonly queryPrefix?: string | undefined
  /** Text that it expects before a passage. @default nothing */
  readonly passagePrefix?: string | undefined
}

const [batch, concurrency] = [64, 4]

/** Every passage with the cosine between its vector and the query's, in document order. Opens the document once. */
export async function* scoresByMeaning(
  { query, passageTokens, open }: ChunkSearch,
  { model, queryPrefix = '', passagePrefix = '' }: EmbeddingSearch,
  signal: AbortSignal,
): AsyncGenerator<ScoredPassage> {
  const {
    vectors: [wanted],
  } = await model.embed([queryPrefix + query], signal)
  const stream = embedStream(passagesIn(open(), passageTokens), {
    textOf: ({ text }) => text,
    embed: async (texts, abort) =>
      (
        await model.embed(
          texts.map((text) => passagePrefix + text),
          abort,
        )
      ).vectors,
    batch,
    concurrency,
    signal,
  })
  for await (const { item, vector } of stream) {
    yield { ordinal: item.ordinal, score: cosine(wanted!, vector) }
  }
}

/** Estimates are enough: no prompt holds these passages, and a server would take a call for each count. */
const tokenizer = createEstimateTokenizer()

/** The passages by which chunks are compared. */
async function* passagesIn(
  chunks: AsyncIterable<Chunk>,
  maxTokens: number,
): AsyncGenerator<{ readonly ordinal: number; readonly text: string }> {
  for await (const chunk of chunks) {
    for await (const text of passageTexts(chunk, maxTokens)) yield { ordinal: chunk.ordinal, text }
  }
}

async function* passageTexts({ text }: Chunk, maxTokens: number): AsyncGenerator<string> {
  for await (const passage of passagesOf(createTextDocument(text), { maxTokens, tokenizer })) {
    yield textOf(passage)
  }
}

interface CountedChunk {
  readonly maxTokens: number
  readonly passages: Promise<readonly TermCounts[]>
}
const countedChunks = new WeakMap<Chunk, CountedChunk>()

/** Counted once for questions asked side by side, which share their chunks. */
function passageTermsOf(chunk: Chunk, maxTokens: number): Promise<readonly TermCounts[]> {
  const before = countedChunks.get(chunk)
  if (before?.maxTokens === maxTokens) return before.passages
  const passages = countPassages(chunk, maxTokens)
  countedChunks.set(chunk, { maxTokens, passages })
  return passages
}

async function countPassages(chunk: Chunk, maxTokens: number): Promise<readonly TermCounts[]> {
  const counted: TermCounts[] = []
  for await (const text of passageTexts(chunk, maxTokens)) counted.push(termCountsOf(text))
  return counted
}

/** The best so far of a stream of any length; equal scores keep the order of adding. */
export class BestChunks {
  readonly #most: number
  #best: ScoredPassage[] = []

  constructor(most: number) {
    this.#most = most
  }

  /** Best first. */
  get best(): readonly ScoredPassage[] {
    return this.#best
  }

  add(passage: ScoredPassage): void {
    const before = this.#best.findIndex(({ ordinal }) => ordinal === passage.ordinal)
    if (before >= 0) {
      if (this.#best[before]!.score >= passage.score) return
      this.#best.splice(before, 1)
    }
    const at = this.#best.findIndex(({ score }) => score < passage.score)
    this.#best.splice(at < 0 ? this.#best.length : at, 0, passage)
    this.#best.length = Math.min(this.#best.length, this.#most)
  }

  /** In document order. */
  get ordinals(): readonly number[] {
    return this.#best.map(({ ordinal }) => ordinal).sort((a, b) => a - b)
  }
}
