/**
 * Retrieval by words: the passages that BM25 ranks first for the question, as many as fit the window, in the document's
 * order. A passage that shares no word with it is not shown, even where there is room. The document is read twice, to rank
 * the passages and to fetch the best, and never held.
 */
import { z } from 'zod'
import { Bm25Ranking } from './bm25-ranking.ts'
import { estimateExcerpts, passageTokensOf } from './estimates.ts'
import { answerFromExcerpts, gapTokens } from './excerpts.ts'
import type { MethodFactory } from './factory.ts'
import { runMethod } from './method-run.ts'
import { count, windowOptions, withBudget } from './options.ts'
import { bestThatFit, type Passage, type PassageText, passagesOf, readPassages } from './passages.ts'

const options = z.strictObject({
  /** Most passages. @default as many as fit */
  k: count.optional(),
  /** Tokens of a passage. @default a quarter of a chunk, from 16 to 256 */
  passage: count.optional(),
  ...windowOptions,
})

export const bm25: MethodFactory<typeof options> = {
  description: 'the passages that BM25 ranks first and that fit the window',
  options,
  create: (name, { k, passage, ...overrides }) => ({
    name,
    description: bm25.description,
    answer: (request) =>
      runMethod(request, overrides, async (run) => {
        const ranking = new Bm25Ranking(request.question)
        const matching = new Map<number, Passage>()
        const passageTokens = passage ?? passageTokensOf(run.profile.budget)
        for await (const { text, ...place } of passagesOf(request.document, passageTokens, run)) {
          if (ranking.add(text)) matching.set(place.ordinal, place)
        }
        const ranked = ranking.ranked().map(({ ordinal }) => matching.get(ordinal)!)
        const gap = await gapTokens(run)
        let texts: ReadonlyMap<number, PassageText> | undefined
        return answerFromExcerpts(run, async (room) => {
          const best = bestThatFit(ranked, room, gap, k)
          // With less room it is some of the same passages.
          texts ??= new Map(
            (await readPassages(request.document, best, run.signal)).map((text) => [text.ordinal, text]),
          )
          return { excerpts: best.map(({ ordinal }) => texts!.get(ordinal)!) }
        })
      }),
    estimate(lengthTokens, profile) {
      const changed = withBudget(profile, overrides)
      const most = (k ?? Number.POSITIVE_INFINITY) * (passage ?? passageTokensOf(changed.budget))
      return estimateExcerpts(Math.min(lengthTokens, most), changed)
    },
  }),
}
