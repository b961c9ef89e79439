/**
 * Which chunks of a document a query finds. A chunk is worth as much as its best passage (MaxP of Dai and Callan, arXiv
 * 1905.09217): a long one is not passed over because little of it is to the point. The document is streamed, and nothing of it is held.
 */
import type { Chunk } from '../chunking/chunker.ts'
import { createTextDocument } from '../documents/text-document.ts'
import type { EmbeddingModel } from '../embeddings/openai-embeddings.ts'
import { createEstimateTokenizer } from '../tokenizers/estimate.ts'
import { Bm25 } from './bm25.ts'
import { embedStream } from './embed-stream.ts'
import { passagesOf, textOf } from './passages.ts'
import { cosine } from './top-passages.ts'

export interface ScoredPassage {
  /** Of its chunk. */
  readonly ordinal: number
  readonly score: number
}

export interface ChunkSearch {
  readonly query: string
  /** Estimated tokens of a passage. */
  readonly passageTokens: number
  /** The document's chunks from the start on; the same whenever it is called. */
  readonly open: () => AsyncIterable<Chunk>
}

/** Every passage with its BM25 score, in document order. Opens the document twice. */
export async function* scoresByWords({
  query,
  passageTokens,
  open,
}: ChunkSearch): AsyncGenerator<ScoredPassage> {
  const bm25 = new Bm25(query)
  for await (const { text } of passagesIn(open(), passageTokens)) bm25.add(bm25.countsOf(text))
  for await (const { ordinal, text } of passagesIn(open(), passageTokens)) {
    yield { ordinal, score: bm25.score(bm25.countsOf(text)) }
  }
}

/** How to search by meaning. */
export interface EmbeddingSearch {
  readonly model: EmbeddingModel
  /** What the model wants in front of a query, such as `query: `. @default nothing */
  readonly queryPrefix?: string | undefined
  /** What it wants in front of a passage. @default nothing */
  readonly passagePrefix?: string | undefined
}

const [batch, concurrency] = [64, 4]

/** Every passage with the cosine of its vector and the query's, in document order. Opens the document once. */
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

/** Estimates do: no prompt holds passages, and counting so many with a server would take as many calls. */
const tokenizer = createEstimateTokenizer()

/** The passages that chunks are compared by. */
async function* passagesIn(
  chunks: AsyncIterable<Chunk>,
  maxTokens: number,
): AsyncGenerator<{ readonly ordinal: number; readonly text: string }> {
  for await (const { ordinal, text } of chunks) {
    for await (const passage of passagesOf(createTextDocument(text), { maxTokens, tokenizer })) {
      yield { ordinal, text: textOf(passage) }
    }
  }
}

/** The best so far of a stream of any length: equal scores in order of adding. */
export class BestChunks {
  readonly #most: number
  #best: ScoredPassage[] = []

  constructor(most: number) {
    this.#most = most
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
