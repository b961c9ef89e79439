/**
 * RULER-HQA as the MemAgent paper builds it from HotpotQA (arXiv 2507.02259): the ten paragraphs of a question, two of them
 * with the evidence, among other paragraphs of the file, from 50 documents to 25,600. The order is drawn for each sample and
 * length; the paper's code shuffles all samples of one length alike, which confounds length with position.
 */
import { TaskError } from '@memagent/core'
import { z } from 'zod'
import { defineTask } from './define-task.ts'
import { createQuestionOrder } from './question-order.ts'
import { createRandom, shuffleInPlace } from './random.ts'
import { readText } from './rows/read-file.ts'
import { readHotpotQa } from './ruler/hotpotqa-file.ts'
import { createDocumentCounts, numberedSample } from './ruler/numbered-documents.ts'
import type { DocumentSpan, QaCorpus, QaQuestion } from './ruler/qa-corpus.ts'
import type { TextStore } from './ruler/text-store.ts'
import { chooseDocuments } from './ruler-hqa/choose-documents.ts'
import { publishedDocuments } from './ruler-hqa/published-sizes.ts'
import { count, filePath, unusedProse } from './settings/task-options.ts'
import type { Task } from './task.ts'
import { scoreAnswer } from './verifiers/score.ts'
import { subExactMatch } from './verifiers/sub-exact-match.ts'
import { tokenF1 } from './verifiers/token-f1.ts'

const options = z.strictObject({
  path: filePath(
    "HotpotQA's file, hotpot_dev_distractor_v1.json, which is not part of this package",
    'HotpotQA in the distractor setting: `hotpot_dev_distractor_v1.json`, or `hotpot_train_v1.1.json` for training.',
  ),
  documents: z
    .union([count(10), z.literal('published')])
    .optional()
    .meta({
      description: "Documents in each text; `published`: the paper's number for the nearest of its lengths.",
      defaultIs: 'enough to fill the requested length, by the tokenizer of the model under test',
    }),
  questions: filePath(
    'a file with one question a line',
    'A file with the questions to ask, one per line, as written by the filter.',
  )
    .optional()
    .meta({ defaultIs: 'all of them' }),
  prose: unusedProse,
})
type Settings = z.output<typeof options>

const name = 'ruler-hqa'

/**
 * Metrics: `f1` (SQuAD's), `sub_em` (the paper's), `strict` and `lenient`. `sample` throws a TaskError when the text is too
 * short for the question's own paragraphs, or longer than all of the file.
 */
export const rulerHqa = defineTask({
  name,
  description: "RULER-HQA: HotpotQA's questions, with their paragraphs among others of the file.",
  options,
  create: createRulerHqa,
})

async function createRulerHqa(settings: Settings): Promise<Task> {
  const { path, documents: wanted, questions } = settings
  const corpus = await readHotpotQa(path)
  const asked = questions === undefined ? corpus.questions : await onlyThese(corpus, questions)
  const orderOf = createQuestionOrder(name, asked.length)
  const counts = createDocumentCounts(corpus.documents)
  return {
    name,
    deviations: deviationsOf(settings),
    questions: asked.length,
    keepsLength: typeof wanted === 'number',
    // The published numbers of documents make the length with the paper's tokenizer.
    keepsLonger: wanted === 'published',
    async sample(request) {
      const { index, seed, lengthTokens, countTokens } = request
      const question = asked[orderOf(seed, index)]!
      const random = createRandom(name, seed, index)
      const size =
        wanted === undefined
          ? { tokens: lengthTokens, countTokens: counts(countTokens) }
          : { documents: wanted === 'published' ? publishedDocuments(lengthTokens) : wanted }
      const chosen = chooseDocuments(random.fork('others'), question, corpus, size)
      const order = shuffleInPlace(random.fork('order', chosen.length, lengthTokens), Int32Array.from(chosen))
      const supportingFacts = goldParagraphs(question, corpus.documents)
      return numberedSample(name, request, { ...question, supportingFacts }, corpus.documents, order, {
        epoch: Math.floor(index / asked.length),
        ...(wanted === undefined ? {} : { ownLength: true }),
      })
    },
    score: (sample, answer) => ({
      f1: Math.max(...sample.references.map((reference) => tokenF1(answer ?? '', reference))),
      sub_em: subExactMatch(answer, sample.references[0]),
      ...scoreAnswer(sample, answer),
    }),
  }
}

/** The complete paragraphs that contain the supporting sentences. */
const goldParagraphs = ({ supportingFacts }: QaQuestion, documents: TextStore): DocumentSpan[] =>
  [...new Set(supportingFacts.map(({ document }) => document))].map((document) => ({
    document,
    start: 0,
    end: documents.textOf(document).length,
  }))

function deviationsOf({ documents, questions }: Settings): readonly string[] {
  return [
    'The order of the documents is drawn for each sample and length; the paper’s code shuffles all samples of a length alike.',
    'HotpotQA’s format was tried on made samples only.',
    ...(questions === undefined
      ? ['All questions of the file are asked; the paper keeps 128 that a model fails without the documents.']
      : []),
    ...(documents === undefined
      ? ['Texts have as many documents as fill their length; the paper gives each length a number of them.']
      : []),
  ]
}

/** @throws TaskError for a file that cannot be read, or lines that are not questions of the corpus */
async function onlyThese(corpus: QaCorpus, path: string): Promise<readonly QaQuestion[]> {
  const text = await readText(path)
  const wanted = new Set(text.split('\n').flatMap((line) => (line.trim() === '' ? [] : [line.trim()])))
  const questions = corpus.questions.filter(({ question }) => wanted.has(question.trim()))
  const known = new Set(questions.map(({ question }) => question.trim()))
  const unknown = [...wanted].filter((question) => !known.has(question))
  if (unknown.length > 0 || questions.length === 0) {
    throw new TaskError({
      code: 'task/unknown-question',
      message:
        unknown.length > 0
          ? `${path}: ${unknown.length} of ${wanted.size} lines are not questions of the file, such as: ${unknown[0]!.slice(0, 200)}`
          : `${path} has no questions`,
      details: { path, unknown: unknown.length },
    })
  }
  return questions
}
