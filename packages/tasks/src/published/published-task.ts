/**
 * Tasks whose questions, texts and answers stand in files of a published benchmark. A text is as long as it is: the length
 * asked for is ignored, and the label `ownLength` says so. The index picks the row: each one once an epoch, in an order drawn
 * from the seed, so that any number of them is a fair draw.
 */
import { type Document, documentFromText, TaskError } from '@memagent/core'
import { checkOptions } from '../check-options.ts'
import { createQuestionOrder } from '../question-order.ts'
import { openRows } from '../rows/open-rows.ts'
import type { Row } from '../rows/row-file.ts'
import { type RowFilter, selectRows } from '../rows/row-filter.ts'
import { sampleId } from '../sample-id.ts'
import type { Sample, Task } from '../task.ts'
import { type RowFields, rowFields } from './row-fields.ts'

export interface PublishedOptions {
  /** The file, or its parts in order: JSONL, a JSON array or Parquet. */
  readonly path: string | readonly string[]
  /** Rows to take: values by column, lists of them, or ranges `{ min, max }`. @default every one */
  readonly where?: RowFilter
  /** Not looked at. Whoever makes tasks by name may give it to each of them. */
  readonly prose?: unknown
}

/** What a row says; the rest of a sample is the same for every benchmark. */
export interface PublishedRow extends Pick<Sample, 'question' | 'references'> {
  readonly text: string | Document
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

/**
 * @param options with the benchmark's own ones among them; `ownOptions` are their names
 * @param benchmarkOf is given the first row that is taken, for what is the same in all of them
 * @throws TaskError for options that are wrong, files that cannot be read, and when there is no row
 */
export async function createPublishedTask(
  name: string,
  options: PublishedOptions,
  ownOptions: readonly string[],
  benchmarkOf: (fields: RowFields, row: Row) => PublishedBenchmark,
): Promise<Task> {
  checkOptions(name, options, ['path', 'where', 'prose', ...ownOptions])
  const file = await openRows(pathsOf(name, options.path))
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
        text,
        references,
        match = 'any',
        supportingFacts,
        labels,
      } = await benchmark.readRow(rowFields(file.placeOf(row), fields), fields)
      return {
        id: sampleId(`${benchmark.name}/row-${row + 1}`, request),
        question,
        document: typeof text === 'string' ? documentFromText(text, file.placeOf(row)) : text,
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

/** @throws TaskError for what a configuration file may hold instead */
export function pathsOf(name: string, path: unknown): readonly string[] {
  const paths: readonly unknown[] = Array.isArray(path) ? path : [path]
  if (paths.length === 0 || !paths.every((one) => typeof one === 'string' && one !== '')) {
    throw new TaskError({
      code: 'task/no-path',
      message: `the task ${name} needs the path of its file, got ${JSON.stringify(path) ?? 'nothing'}`,
      hint: 'Give it as the option `path`, or a list of the parts. The files are not part of this package.',
    })
  }
  return paths as readonly string[]
}
