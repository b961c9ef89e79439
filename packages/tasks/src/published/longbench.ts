/**
 * LongBench (Bai et al., arXiv 2308.14508), English datasets, including LongBench-E: each file is a dataset whose rows have
 * `input`, `context`, `answers`, `length`, `dataset`, `all_classes` and `_id`. The best answer counts, by the dataset's
 * metric: `f1`, `rouge_l`, `classification`, `retrieval` or `count`, beside `strict` and `lenient`.
 */
import { z } from 'zod'
import { lazy, loadData } from '../data/load-data.ts'
import { badRow, checkFields, text, texts } from '../rows/row-file.ts'
import { scoreAnswer } from '../verifiers/score.ts'
import { asciiDigits, longBenchMetrics } from './longbench-metrics.ts'
import { documentOfNumberedTexts } from './numbered-texts.ts'
import {
  bestOf,
  definePublishedTask,
  labelsOf,
  publishedDeviations,
  publishedOptions,
} from './published-task.ts'

const metricName = z.enum(Object.keys(longBenchMetrics) as (keyof typeof longBenchMetrics)[])

const datasets = z.record(
  z.string(),
  z.strictObject({
    metric: metricName,
    isFirstLine: z.boolean().default(false),
    unanswerable: z.string().optional(),
    question: z.string().transform((lines) => lines.trimEnd()),
  }),
)
const longBenchDatasets = lazy(() => loadData('longbench.yaml', datasets))

export const longBench = definePublishedTask({
  name: 'longbench',
  description: 'LongBench: questions, summaries and more, from a file with the rows of one dataset.',
  options: publishedOptions,
  row: z.object({ dataset: text, input: z.string().default(''), context: text, answers: texts }),
  benchmarkOf(first) {
    const name = datasetOf(first)
    const dataset = longBenchDatasets()[name]!
    const classes =
      dataset.metric === 'classification'
        ? checkFields(z.object({ all_classes: texts }), first.row, first.place).all_classes
        : []
    return {
      name: `longbench-${name}`,
      deviations: [
        ...publishedDeviations,
        ...(dataset.unanswerable ? [`No answer at all counts as "${dataset.unanswerable}".`] : []),
        ...(['count', 'retrieval'].includes(dataset.metric) ? [asciiDigits] : []),
        ...(name === 'triviaqa' ? ['The passage asked about stands at the end of the text.'] : []),
      ],
      readRow({ fields, row, place }) {
        if (datasetOf({ fields, place }) !== name) {
          throw badRow(
            place,
            `it belongs to ${fields.dataset}, and the rows before to ${first.fields.dataset}`,
          )
        }
        const isAsking = dataset.question.includes('{input}')
        const input = isAsking ? checkFields(z.object({ input: text }), fields, place).input : ''
        const { asked, passage } = name === 'triviaqa' ? splitPassage(input) : { asked: input, passage: '' }
        return {
          question: dataset.question.replace('{input}', () => asked),
          query: isAsking ? asked : undefined,
          text: documentOfNumberedTexts(fields.context + passage, place),
          references: fields.answers,
          labels: { dataset: name, ...labelsOf(row, { id: '_id', words: 'length' }) },
        }
      },
      score(sample, answer) {
        const given = answer ?? dataset.unanswerable
        const counted = dataset.isFirstLine ? given?.replace(/^\n+/, '').split('\n')[0] : given
        const metric = longBenchMetrics[dataset.metric]
        const best = bestOf((said, right) => metric(said, right, classes), counted, sample.references)
        return { [dataset.metric]: best, ...scoreAnswer(sample, counted) }
      },
    }
  },
})

/** LongBench-E appends `_e` to its file names. */
function datasetOf({
  fields,
  place,
}: {
  readonly fields: { readonly dataset: string }
  readonly place: string
}) {
  const name = fields.dataset.replace(/_e$/, '')
  if (Object.hasOwn(longBenchDatasets(), name)) return name
  const known = Object.keys(longBenchDatasets()).join(', ')
  throw badRow(place, `the dataset ${name} is none of those that can be read: ${known}`)
}

/** TriviaQA's passage is as long as a text; it is in the row's `input`, before the question. */
function splitPassage(input: string): { asked: string; passage: string } {
  const at = input.lastIndexOf('Question:')
  return at <= 0
    ? { asked: input, passage: '' }
    : { asked: input.slice(at), passage: `\n\n${input.slice(0, at)}` }
}
