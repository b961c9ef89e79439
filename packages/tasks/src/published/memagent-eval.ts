/**
 * The files that MemAgent (arXiv 2507.02259) is trained and evaluated with, as BytedTsinghua-SIA published them:
 * - `eval_50.json` to `eval_6400.json`, RULER-HQA by the number of its documents: `input`, `context`, `answers`;
 * - `eval_niah_single_1_8192.json` and the like, RULER's tasks: `input`, `context`, `outputs`;
 * - `hotpotqa_train_32k.parquet`, `hotpotqa_dev.parquet`: `prompt`, `context`, `reward_model`.
 */
import type { Row } from '../rows/row-file.ts'
import { scoreRuler } from '../ruler/string-match.ts'
import { scoreAnswer } from '../verifiers/score.ts'
import { subExactMatch } from '../verifiers/sub-exact-match.ts'
import { tokenF1 } from '../verifiers/token-f1.ts'
import { documentOfNumberedTexts } from './numbered-texts.ts'
import { definePublishedTask, publishedDeviations, publishedOptions } from './published-task.ts'
import { labelsOf, type RowFields, rowFields } from './row-fields.ts'

const name = 'memagent-eval'

/** What stands before the question in the files of RULER's tasks. Those for needles end with one more. */
const instructions = ['Question:', 'Make sure to memorize it.', 'based on the given documents.']

/** Metrics: `f1` and `sub_em` for questions, `ruler` for RULER's other tasks, beside `strict` and `lenient`. */
export const memAgentEval = definePublishedTask({
  name,
  description: 'The files that MemAgent was trained and evaluated with, as its authors published them.',
  options: publishedOptions,
  benchmarkOf(_, firstRow) {
    // Of RULER's tasks only those that ask about documents have one answer, in several spellings.
    const wantsAll = isRuler(firstRow) && !String(firstRow.input).includes(instructions[2]!)
    return {
      name,
      deviations: [
        publishedDeviations[0]!,
        wantsAll
          ? 'Answers are looked for in the whole response, as RULER does; the published code looks in its box alone, and calls the share sub_em.'
          : 'Every answer of a question counts for f1; the published code looks at the first alone.',
      ],
      readRow(fields, row) {
        const question = questionOf(fields, row)
        return {
          question,
          query: isRuler(row) ? withoutInstructions(question) : question,
          text: documentOfNumberedTexts(contextOf(fields, row), fields.place),
          references: referencesOf(fields, row),
          match: wantsAll ? 'all' : 'any',
          labels: labelsOf(
            { ...row, ...objectIn(row.extra_info) },
            { index: 'index', documents: 'num_docs' },
          ),
        }
      },
      score: (sample, answer, response) =>
        wantsAll
          ? scoreRuler(sample, answer, response)
          : {
              f1: Math.max(...sample.references.map((reference) => tokenF1(answer ?? '', reference))),
              sub_em: subExactMatch(answer, sample.references[0]),
              ...scoreAnswer(sample, answer),
            },
    }
  },
})

const isRuler = (row: Row): boolean => row.outputs !== undefined

const objectIn = (value: unknown): Row => (typeof value === 'object' && value !== null ? (value as Row) : {})

function questionOf(fields: RowFields, row: Row): string {
  if (row.prompt === undefined) return fields.text('input').trim()
  const [message] = Array.isArray(row.prompt) ? row.prompt : []
  const content = objectIn(message).content
  return typeof content === 'string' && content.trim() !== ''
    ? content.trim()
    : fields.fail('"prompt" must be a list of a message with "content"')
}

function contextOf(fields: RowFields, row: Row): string {
  return Array.isArray(row.context) && row.context.every((one) => typeof one === 'number')
    ? fields.fail(
        '"context" holds numbers of documents in place of a text, as files of more than 10,000 documents do; the task ruler-hqa makes such texts of HotpotQA itself',
      )
    : fields.text('context')
}

function referencesOf(fields: RowFields, row: Row): readonly string[] {
  if (row.reward_model === undefined) return fields.texts(isRuler(row) ? 'outputs' : 'answers')
  return rowFields(`${fields.place}, "reward_model"`, objectIn(row.reward_model)).texts('ground_truth')
}

function withoutInstructions(question: string): string {
  const ends = instructions.map((one) =>
    question.includes(one) ? question.lastIndexOf(one) + one.length : 0,
  )
  return question
    .slice(Math.max(...ends))
    .replace(/ mentioned in the provided text(?=\?$)/, '')
    .trim()
}
