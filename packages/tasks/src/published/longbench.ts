/**
 * LongBench (Bai et al., arXiv 2308.14508), English datasets, also of LongBench-E: a file is one dataset, with `input`,
 * `context`, `answers`, `length`, `dataset`, `all_classes` and `_id` in each row. The best of the answers counts, by the
 * dataset's metric: `f1`, `rouge_l`, `classification`, `retrieval` or `count`, beside `strict` and `lenient`.
 */
import { scoreAnswer } from '../verifiers/score.ts'
import { type LongBenchDataset, type LongBenchDatasetName, longBenchDatasets } from './longbench-datasets.ts'
import { asciiDigits, longBenchMetrics } from './longbench-metrics.ts'
import { documentOfNumberedTexts } from './numbered-texts.ts'
import { definePublishedTask, publishedDeviations, publishedOptions } from './published-task.ts'
import { labelsOf, type RowFields } from './row-fields.ts'

export const longBench = definePublishedTask({
  name: 'longbench',
  description: 'LongBench: questions, summaries and more, of a file with the rows of one dataset.',
  options: publishedOptions,
  benchmarkOf(first, firstRow) {
    const name = datasetOf(first)
    const dataset: LongBenchDataset = longBenchDatasets[name]
    const classes = dataset.metric === 'classification' ? first.texts('all_classes') : []
    return {
      name: `longbench-${name}`,
      deviations: [
        ...publishedDeviations,
        ...(dataset.unanswerable ? [`No answer at all counts as "${dataset.unanswerable}".`] : []),
        ...(['count', 'retrieval'].includes(dataset.metric) ? [asciiDigits] : []),
        ...(name === 'triviaqa' ? ['The passage asked about stands at the end of the text.'] : []),
      ],
      readRow(fields, row) {
        if (datasetOf(fields) !== name) {
          fields.fail(`it belongs to ${fields.text('dataset')}, and the rows before to ${firstRow.dataset}`)
        }
        const input = dataset.hasNoInput ? '' : fields.text('input')
        const { asked, text } = name === 'triviaqa' ? splitPassage(input) : { asked: input, text: '' }
        return {
          question: dataset.ask(asked),
          query: dataset.hasNoInput ? undefined : asked,
          text: documentOfNumberedTexts(fields.text('context') + text, fields.place),
          references: fields.texts('answers'),
          labels: { dataset: name, ...labelsOf(row, { id: '_id', words: 'length' }) },
        }
      },
      score(sample, answer) {
        const given = answer ?? dataset.unanswerable
        const counted = dataset.isFirstLine ? given?.replace(/^\n+/, '').split('\n')[0] : given
        const metric = longBenchMetrics[dataset.metric]
        const best = Math.max(...sample.references.map((one) => metric(counted ?? '', one, classes)))
        return { [dataset.metric]: best, ...scoreAnswer(sample, counted) }
      },
    }
  },
})

/** LongBench-E adds `_e` to the names of its files. */
function datasetOf(fields: RowFields): LongBenchDatasetName {
  const name = fields.text('dataset').replace(/_e$/, '')
  if (!Object.hasOwn(longBenchDatasets, name)) {
    fields.fail(
      `the dataset ${name} is none of those that can be read: ${Object.keys(longBenchDatasets).join(', ')}`,
    )
  }
  return name as LongBenchDatasetName
}

/** TriviaQA's passage is as long as a text; it stands in the row's `input`, before the question. */
function splitPassage(input: string): { asked: string; text: string } {
  const at = input.lastIndexOf('Question:')
  return at <= 0 ? { asked: input, text: '' } : { asked: input.slice(at), text: `\n\n${input.slice(0, at)}` }
}
