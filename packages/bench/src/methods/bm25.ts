/**
 * Retrieval by words: the passages that BM25 ranks first for the question, as many as fit the window, in document order. A
 * passage that shares no word with the question is not used, even if there is room. Each round streams the document twice,
 * to rank the passages and to fetch the best.
 *
 * Further rounds search again with the question plus the previous round's notes or response, as in ITER-RETGEN (Shao et al.,
 * arXiv 2305.15294), and answer from what they find. A round that finds nothing ends the search, since the next would repeat
 * it.
 */
import {
  Bm25Ranking,
  bestThatFit,
  mergeRanges,
  type Passage,
  type PieceText,
  passagesOf,
  passageTokensOf,
  readPieces,
  type TextDocument,
  textOf,
  withBudget,
} from '@memagent/core'
import { z } from 'zod'
import type { MethodResult } from '../method.ts'
import { estimateExcerpts } from './estimates.ts'
import { answerFromExcerpts, gapTokens } from './excerpts.ts'
import type { MethodFactory } from './factory.ts'
import { type MethodRun, runMethod } from './method-run.ts'
import { count, passageOptions, windowOptions } from './options.ts'

const options = z.strictObject({
  ...passageOptions,
  rounds: count.default(1).describe('Searches, each but the first with what the one before led to.'),
  ...windowOptions,
})

type Answered = Omit<MethodResult, 'usage'>
type Choice = { readonly k: number | undefined; readonly passage: number | undefined }

const description = 'the passages that BM25 ranks first and that fit the window'

export const bm25: MethodFactory<typeof options> = {
  description,
  options,
  create: (name, { k, passage, rounds, ...overrides }) => ({
    name,
    description:
      rounds === 1
        ? description
        : `${description}; searched ${rounds} times, again for what was answered before`,
    answer: (request) =>
      runMethod(request, overrides, async (run) => {
        let result = await answerOnce(run, request.document, run.query, { k, passage })
        for (let round = 1; round < rounds; round++) {
          const learned = learnedFrom(result)
          if (learned === '') break
          const query = `${run.query}\n${learned}`
          result = following(result, await answerOnce(run, request.document, query, { k, passage }))
        }
        return result
      }),
    estimate(lengthTokens, profile) {
      const changed = withBudget(profile, overrides)
      const most = (k ?? Number.POSITIVE_INFINITY) * (passage ?? passageTokensOf(changed.budget))
      const once = estimateExcerpts(Math.min(lengthTokens, most), changed)
      return {
        calls: rounds * once.calls,
        promptTokens: rounds * once.promptTokens,
        completionTokens: rounds * once.completionTokens,
      }
    },
  }),
}

async function answerOnce(
  run: MethodRun,
  document: TextDocument,
  query: string,
  { k, passage = passageTokensOf(run.profile.budget) }: Choice,
): Promise<Answered> {
  const options = { maxTokens: passage, tokenizer: run.textTokenizer, signal: run.signal }
  const ranking = new Bm25Ranking(query)
  const matching = new Map<number, Passage>()
  for await (const found of passagesOf(document, options)) {
    if (!ranking.add(textOf(found))) continue
    const pieces = found.pieces.map(({ text, ...place }) => place)
    matching.set(found.ordinal, { ordinal: found.ordinal, pieces })
  }
  const ranked = ranking.ranked().map(({ ordinal }) => matching.get(ordinal)!)
  const gap = await gapTokens(run)
  let texts: ReadonlyMap<number, PieceText> | undefined
  return answerFromExcerpts(run, async (room) => {
    const best = bestThatFit(ranked, room, gap, k)
    // A second call has less room, so its passages are a subset of these.
    texts ??= new Map((await readPieces(document, best, run.signal)).map((text) => [text.ordinal, text]))
    return { excerpts: best.map(({ ordinal }) => texts!.get(ordinal)!) }
  })
}

const box = /\\boxed\{((?:[^{}]|\{[^{}]*\})*)\}/g

/** The notes, or the response if the method has none; "nothing found" is not worth searching for. */
function learnedFrom({ answer: { text, response = '' }, trace }: Answered): string {
  const notes = trace.at(-1)?.memory.trim()
  if (notes) return notes
  if (text !== '') return response.replace(box, '$1').trim()
  const besideBox = response.replace(box, '')
  return besideBox === response ? '' : besideBox.trim()
}

/** Two consecutive rounds as one; the second one's answer counts. */
const following = (before: Answered, after: Answered): Answered => ({
  answer: after.answer,
  trace: [...before.trace, ...after.trace.map((entry) => ({ ...entry, step: before.steps + entry.step }))],
  steps: before.steps + after.steps,
  seen: before.seen && after.seen && mergeRanges([...before.seen, ...after.seen]),
})
