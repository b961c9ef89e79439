/**
 * The files that MemAgent (arXiv 2507.02259) is trained and evaluated with, as BytedTsinghua-SIA published them:
 * - `eval_50.json` to `eval_6400.json`, RULER-HQA by the number of its documents: `input`, `context`, `answers`;
 * - `eval_niah_single_1_8192.json` and the like, RULER's tasks: `input`, `context`, `outputs`;
 * - `hotpotqa_train_32k.parquet`, `hotpotqa_dev.parquet`: `prompt`, `context`, `reward_model`.
 */
import { z } from 'zod'
import { badRow, text, texts } from '../rows/row-file.ts'
import { scoreRuler } from '../ruler/string-match.ts'
import { scoreAnswer } from '../verifiers/score.ts'
import { subExactMatch } from '../verifiers/sub-exact-match.ts'
import { tokenF1 } from '../verifiers/token-f1.ts'
import { documentOfNumberedTexts } from './numbered-texts.ts'
import {
  bestOf,
  definePublishedTask,
  labelsOf,
  publishedDeviations,
  publishedOptions,
} from './published-task.ts'

const name = 'memagent-eval'

/** Text before the question in files of RULER's tasks. Needle files end with one more sentence. */
const instructions = ['Question:', 'Make sure to memorize it.', 'based on the given documents.']

const isNumbers = (value: unknown): boolean =>
  Array.isArray(value) && value.every((one) => typeof one === 'number')

const fields = z
  .object({
    input: text.optional(),
    prompt: z.tuple([z.looseObject({ content: text })], z.unknown()).optional(),
    context: z
      .unknown()
      .refine((value) => !isNumbers(value), {
        message:
          'it holds document numbers instead of a text, as files with more than 10,000 documents do; the task ruler-hqa makes such texts from HotpotQA itself',
        abort: true,
      })
      .pipe(text)
      .meta({ takes: 'a text that is not empty' }),
    answers: texts.optional(),
    outputs: texts.optional(),
    reward_model: z.looseObject({ ground_truth: texts }).optional(),
  })
  .superRefine(({ input, prompt, answers, outputs, reward_model }, context) => {
    const isMissing = { input: input ?? prompt, answers: answers ?? outputs ?? reward_model }
    for (const [name, value] of Object.entries(isMissing)) {
      if (value === undefined) context.addIssue({ code: 'custom', path: [name], message: 'it takes texts' })
    }
  })
  .transform(({ input, prompt, context, answers, outputs, reward_model }) => ({
    question: (prompt?.[0].content ?? input!).trim(),
    context,
    references: reward_model?.ground_truth ?? outputs ?? answers!,
    isRuler: outputs !== undefined,
  }))

/** Metrics: `f1` and `sub_em` for questions, `ruler` for RULER's other tasks, plus `strict` and `lenient`. */
export const memAgentEval = definePublishedTask({
  name,
  description: 'The files that MemAgent was trained and evaluated with, as its authors published them.',
  options: publishedOptions,
  row: fields,
  benchmarkOf({ fields: first }) {
    const wantsAll = hasSeveralAnswers(first)
    return {
      name,
      deviations: [
        publishedDeviations[0]!,
        wantsAll
          ? 'Answers are looked for in the whole response, as RULER does; the published code looks in its box alone, and calls the share sub_em.'
          : 'Every answer of a question counts for f1; the published code looks at the first alone.',
      ],
      readRow({ fields, row, place }) {
        const { question, context, references, isRuler } = fields
        if (hasSeveralAnswers(fields) !== wantsAll) {
          throw badRow(place, 'it is scored in another way than the rows before, and belongs to another file')
        }
        return {
          question,
          query: isRuler ? withoutInstructions(question) : question,
          text: documentOfNumberedTexts(context, place),
          references,
          match: wantsAll ? 'all' : 'any',
          labels: labelsOf(
            { ...row, ...(row.extra_info as object | undefined) },
            { index: 'index', documents: 'num_docs' },
          ),
        }
      },
      score: (sample, answer, response) =>
        wantsAll
          ? scoreRuler(sample, answer, response)
          : {
              f1: bestOf(tokenF1, answer, sample.references),
              sub_em: subExactMatch(answer, sample.references[0]),
              ...scoreAnswer(sample, answer),
            },
    }
  },
})

/** Among RULER's tasks, only those about documents have a single answer, in several spellings. */
const hasSeveralAnswers = ({ isRuler, question }: z.output<typeof fields>): boolean =>
  isRuler && !question.includes(instructions[2]!)

function withoutInstructions(question: string): string {
  const ends = instructions.map((one) =>
    question.includes(one) ? question.lastIndexOf(one) + one.length : 0,
  )
  return question
    .slice(Math.max(...ends))
    .replace(/ mentioned in the provided text(?=\?$)/, '')
    .trim()
}
