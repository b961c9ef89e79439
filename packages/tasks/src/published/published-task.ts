/**
 * Tasks whose questions, texts and answers stand in files of a published benchmark. A text is as long as it is: the length
 * asked for is ignored, and the label `ownLength` says so. The index picks the row: each one once an epoch, in an order drawn
 * from the seed, so that any number of them is a fair draw.
 */
import { createTextDocument, type TextDocument } from '@memagent/core'
import { z } from 'zod'
import { defineTask, type TaskDefinition } from '../define-task.ts'
import { createQuestionOrder } from '../question-order.ts'
import { openRows } from '../rows/open-rows.ts'
import type { Row } from '../rows/row-file.ts'
import { rowFilter, selectRows } from '../rows/row-filter.ts'
import { sampleId } from '../sample-id.ts'
import { unusedProse } from '../settings/task-options.ts'
import type { Sample, Task } from '../task.ts'
import { type RowFields, rowFields } from './row-fields.ts'

const part = z.string().min(1)

export const publishedOptions = z.strictObject({
  path: z.union([part, z.array(part).min(1).readonly()]).meta({
    description: 'The file, or its parts in order: JSONL, a JSON array or Parquet.',
    takes:
      'the path of the file of the benchmark or a list of the paths of its parts; it is not part of this package',
  }),
  where: rowFilter.optional().meta({
    description: 'Rows to take: values by column, lists of them, or ranges `{ min, max }`.',
    defaultIs: 'every one',
  }),
  prose: unusedProse,
})

/** What a row says; the rest of a sample is the same for every benchmark. */
export interface PublishedRow extends Pick<Sample, 'question' | 'query' | 'references'> {
  readonly text: string | TextDocument
  /** @default 'any' */
  readonly match?: Sample['match']
  readonly supportingFacts?: Sample['supportingFacts']
  readonly labels?: Sample['labels']
}

export interface PublishedBenchmark extends Pick<Task, 'score'> {
  readonly name: string
  readonly deviations: readonly string[]
  /** @throws TaskError for rows that are not as published */
  readRow(fields: RowFields, row: Row): PublishedRow | Promise<PublishedRow>
}

/** Of every one of them. */
export const publishedDeviations: readonly string[] = [
  'The reader of the files was tried on made samples in the published format only.',
  'The question stands apart from the text, and what is to be done is said in other words.',
]

export const definePublishedTask = <Options extends typeof publishedOptions>({
  benchmarkOf,
  ...definition
}: Omit<TaskDefinition<Options>, 'create'> & {
  benchmarkOf(fields: RowFields, row: Row, options: z.output<Options>): PublishedBenchmark
}) =>
  defineTask({
    ...definition,
    create: (settings) =>
      createPublishedTask(definition.name, settings as z.output<typeof publishedOptions>, (fields, row) =>
        benchmarkOf(fields, row, settings),
      ),
  })

/**
 * @param benchmarkOf is given the first row that is taken, for what is the same in all of them
 * @throws TaskError for files that cannot be read, and when there is no row
 */
async function createPublishedTask(
  name: string,
  options: z.output<typeof publishedOptions>,
  benchmarkOf: (fields: RowFields, row: Row) => PublishedBenchmark,
): Promise<Task> {
  const file = await openRows([options.path].flat())
  const rows = await selectRows(file, options.where)
  const first = await file.read(rows[0]!)
  const benchmark = benchmarkOf(rowFields(file.placeOf(rows[0]!), first), first)
  const orderOf = createQuestionOrder(name, rows.length)
  return {
    name: benchmark.name,
    deviations: benchmark.deviations,
    async sample(request) {
      const { index, seed } = request
      const row = rows[orderOf(seed, index)]!
      const fields = await file.read(row)
      const {
        question,
        query,
        text,
        references,
        match = 'any',
        supportingFacts,
        labels,
      } = await benchmark.readRow(rowFields(file.placeOf(row), fields), fields)
      return {
        id: sampleId(`${benchmark.name}/row-${row + 1}`, request),
        question,
        query,
        document: typeof text === 'string' ? createTextDocument(text, file.placeOf(row)) : text,
        references,
        match,
        evidence: [],
        ...(supportingFacts ? { supportingFacts } : {}),
        labels: {
          kind: benchmark.name,
          ...labels,
          row: row + 1,
          epoch: Math.floor(index / rows.length),
          ownLength: true,
          present: true,
        },
      } satisfies Sample
    },
    score: benchmark.score,
  }
}
