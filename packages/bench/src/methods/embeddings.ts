/**
 * Retrieval by meaning: embeds passages and query with a model behind any OpenAI-compatible endpoint, and uses the passages
 * with the largest cosine that fit the window, in document order. The document is read once.
 */
import {
  bestThatFit,
  createOpenAIEmbeddings,
  type EmbeddingModel,
  embedStream,
  type Passage,
  type PieceText,
  passagesOf,
  passageTokensOf,
  serverFromEnvironment,
  TopPassages,
  textOf,
  withBudget,
} from '@memagent/core'
import { z } from 'zod'
import { estimateExcerpts } from './estimates.ts'
import { answerFromExcerpts, gapTokens } from './excerpts.ts'
import type { MethodFactory } from './factory.ts'
import { type MethodRun, runMethod } from './method-run.ts'
import { count, passageOptions, windowOptions } from './options.ts'

const prefix = (what: string, example: string) =>
  z
    .string()
    .default('')
    .meta({
      description: `What the embedding model wants in front of ${what}, such as "${example}".`,
      defaultIs: 'nothing',
    })

const options = z.strictObject({
  model: z.string().min(1).describe('The embedding model, by the name its server knows.'),
  url: z.string().optional().meta({
    description: 'Base URL of its server, such as http://localhost:8080/v1.',
    defaultIs: 'MEMAGENT_BASE_URL, else OPENAI_BASE_URL, else OpenAI',
  }),
  ...passageOptions,
  questionprefix: prefix('questions', 'query: '),
  passageprefix: prefix('passages', 'passage: '),
  batch: count.default(64).describe('Passages of one request.'),
  concurrency: count.default(4).describe('Requests at a time.'),
  ...windowOptions,
})

/** Allows for the embedding model's own tokenizer, and for passages being tokenized separately. */
const otherTokenizer = 1.1

export const embeddings: MethodFactory<typeof options> = {
  description: 'the passages nearest to the question by an embedding model, as many as fit the window',
  options,
  unnamed: ['url', 'batch', 'concurrency'],
  create(name, { k, passage, ...given }, { environment = {}, baseUrl: modelUrl, fetch, retry, onWait }) {
    const { baseUrl, apiKey } = serverFromEnvironment(environment, given.url, modelUrl)
    const embedder = createOpenAIEmbeddings({ model: given.model, baseUrl, apiKey, fetch, retry, onWait })
    const { batch, concurrency, questionprefix, passageprefix } = given
    return {
      name,
      description: embeddings.description,
      answer: (request) =>
        runMethod(request, given, async (run) => {
          const passageTokens = passage ?? passageTokensOf(run.profile.budget)
          const gap = await gapTokens(run)
          let best: readonly Passage<PieceText>[] | undefined
          const rank = async (room: number) => {
            const { signal } = run
            const [query] = await embedCounted(embedder, [questionprefix + run.query], run, signal)
            const top = new TopPassages(query!, room, k)
            const passages = passagesOf(request.document, {
              maxTokens: passageTokens,
              tokenizer: run.textTokenizer,
              signal,
            })
            const stream = embedStream(passages, {
              textOf,
              embed: (texts, abort) =>
                embedCounted(
                  embedder,
                  texts.map((text) => passageprefix + text),
                  run,
                  abort,
                ),
              batch,
              concurrency,
              signal,
            })
            for await (const { item, vector } of stream) top.add({ passage: item, vector })
            return top.passages
          }
          return answerFromExcerpts(run, async (room) => {
            best ??= await rank(room)
            return { excerpts: bestThatFit(best, room, gap, k) }
          })
        }),
      estimate(lengthTokens, profile) {
        const changed = withBudget(profile, given)
        const most = (k ?? Number.POSITIVE_INFINITY) * (passage ?? passageTokensOf(changed.budget))
        // Every piece belongs to two passages.
        const embeddedTokens = Math.ceil(2 * otherTokenizer * lengthTokens) + changed.budget.question
        return { ...estimateExcerpts(Math.min(lengthTokens, most), changed), embeddedTokens }
      },
    }
  },
}

/** Embeds texts, and counts time and tokens. */
async function embedCounted(
  embedder: EmbeddingModel,
  texts: readonly string[],
  run: MethodRun,
  signal: AbortSignal,
): Promise<readonly Float32Array[]> {
  const { vectors, promptTokens } = await run.meter.time(() => embedder.embed(texts, signal))
  run.meter.addEmbedded(promptTokens ?? Number.NaN)
  return vectors
}
