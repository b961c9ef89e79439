/**
 * Questions about documents, after RULER's `qa.py` (arXiv 2404.06654): a question's documents among others of the same file,
 * numbered, in an order drawn for each sample. Documents repeat if the file has too few to fill the text.
 */
import { createQuestionOrder } from '../question-order.ts'
import { createRandom, type Random, shuffleInPlace } from '../random.ts'
import type { Task } from '../task.ts'
import { subExactMatch } from '../verifiers/sub-exact-match.ts'
import { commonDeviations, freshOrder, outputLimit } from './deviations.ts'
import { shuffledRange } from './draw.ts'
import { fillText } from './fill-text.ts'
import { createDocumentCounts, numberedSample } from './numbered-documents.ts'
import type { QaCorpus, QaQuestion } from './qa-corpus.ts'
import { scoreRuler } from './string-match.ts'
import type { TextStore } from './text-store.ts'
import { createMeter } from './token-meter.ts'
import { tooShort } from './too-short.ts'

/** Metrics: `ruler`, `sub_em`, `strict` and `lenient`. */
export function createQuestionAnswering(name: string, corpus: QaCorpus): Task {
  const { documents, questions } = corpus
  const orderOf = createQuestionOrder(name, questions.length)
  const counts = createDocumentCounts(documents)
  return {
    name,
    deviations: [
      ...commonDeviations,
      outputLimit(32),
      'The question stands alone; RULER also asks for nothing but the answer.',
      'Questions are drawn from the whole file; RULER takes them in the order of the file.',
      freshOrder,
    ],
    questions: questions.length,
    async sample(request) {
      const { index, seed, lengthTokens, countTokens } = request
      const asked = questions[orderOf(seed, index)]!
      const random = createRandom(name, seed, index)
      const chosen = chooseDocuments(random, asked, documents, lengthTokens, counts(countTokens))
      if (chosen === undefined) {
        throw tooShort(name, lengthTokens)
      }
      const order = shuffleInPlace(random.fork('order', lengthTokens), Int32Array.from(chosen))
      return numberedSample(name, request, asked, documents, order)
    },
    score: (sample, answer, response) => ({
      ...scoreRuler(sample, answer, response),
      sub_em: subExactMatch(answer, sample.references[0]),
    }),
  }
}

/**
 * The question's own documents, then related ones, then any, as many as fit; if the file has too few, its documents repeat.
 * Undefined if the question's own do not fit.
 */
function chooseDocuments(
  random: Random,
  { own, related }: QaQuestion,
  documents: TextStore,
  lengthTokens: number,
  countTokens: (document: number) => number,
): readonly number[] | undefined {
  const tokensOf = createMeter(countTokens, (document) => documents.bytesOf(document))
  const taken = new Set([...own, ...related])
  const others = shuffledRange(random.fork('others'), documents.count).filter((one) => !taken.has(one))
  const candidates = [...random.fork('related').shuffle(related), ...others]
  const filled = fillText(own, candidates, lengthTokens, tokensOf)
  if (filled === undefined || filled.isFull) return filled?.chosen
  return fillText([], roundAndRound(documents.count), lengthTokens, tokensOf, 1)!.chosen
}

function* roundAndRound(count: number): Generator<number> {
  for (let i = 0; ; i += 1) yield i % count
}
