/**
 * Tasks with questions, texts and answers from the files of a published benchmark. Texts keep their length: the requested one
 * is ignored, and the label `ownLength` says so. The index picks the row: each once per epoch, in an order drawn from the
 * seed, so that any number of them is a fair draw.
 */
import { canonicalJson, createTextDocument, TaskError, type TextDocument } from '@memagent/core'
import { z } from 'zod'
import { defineTask, type TaskDefinition } from '../define-task.ts'
import { createQuestionOrder } from '../question-order.ts'
import { openRows } from '../rows/open-rows.ts'
import { checkFields, type Row, type RowFile } from '../rows/row-file.ts'
import { rowFilter, selectRows } from '../rows/row-filter.ts'
import { sampleId } from '../sample-id.ts'
import { oneOrSeveral, unusedProse } from '../settings/task-options.ts'
import type { Sample, Task } from '../task.ts'

const part = z.string().min(1)

export const publishedOptions = z.strictObject({
  path: oneOrSeveral(part).meta({
    description: 'The file, or its parts in order: JSONL, a JSON array or Parquet.',
    takes:
      'the path of the file of the benchmark or a list of the paths of its parts; it is not part of this package',
  }),
  where: rowFilter.optional().meta({
    description: 'Rows to take: values by column, lists of values, or ranges `{ min, max }`.',
    defaultIs: 'every one',
  }),
  prose: unusedProse,
})

/** The content of a row; everything else in a sample is the same for all benchmarks. */
export interface PublishedRow extends Pick<Sample, 'question' | 'query' | 'references' | 'supportingFacts'> {
  readonly text: string | TextDocument
  /** @default 'any' */
  readonly match?: Sample['match']
  readonly labels?: Sample['labels']
}

/** A row whose fields have passed the schema. */
export interface ReadRow<Fields> {
  readonly fields: Fields
  /** As in the file. */
  readonly row: Row
  /** Path of the file, which may be one of several parts. */
  readonly file: string
  /** File and row, for messages. */
  readonly place: string
}

export interface PublishedBenchmark<Fields> extends Pick<Task, 'score'> {
  readonly name: string
  readonly deviations: readonly string[]
  /** @throws TaskError for rows that are not as published */
  readRow(row: ReadRow<Fields>): PublishedRow | Promise<PublishedRow>
}

export interface PublishedTaskDefinition<Options extends z.ZodObject, Fields extends z.ZodType>
  extends Omit<TaskDefinition<Options>, 'create'> {
  /** Schema of a row's required fields. */
  readonly row: Fields
  /** @param first the first row used, for what all rows have in common */
  benchmarkOf(
    first: ReadRow<z.output<Fields>>,
    options: z.output<Options>,
  ): PublishedBenchmark<z.output<Fields>>
}

/** Deviations of all these tasks. */
export const publishedDeviations: readonly string[] = [
  'The reader of the files was tried on made samples in the published format only.',
  'The question stands apart from the text, and what is to be done is said in other words.',
]

/** `create` throws TaskError for unreadable files, if there is no row, and if the first row is invalid. */
export const definePublishedTask = <Options extends typeof publishedOptions, Fields extends z.ZodType>({
  row: schema,
  benchmarkOf,
  ...definition
}: PublishedTaskDefinition<Options, Fields>) =>
  defineTask({
    ...definition,
    async create(settings): Promise<Task> {
      const { path, where } = settings as z.output<typeof publishedOptions>
      const file = await openRows([path].flat())
      const rows = await selectRows(file, where)
      const read = async (number: number): Promise<ReadRow<z.output<Fields>>> => {
        const [row, place] = [await file.read(number), file.placeOf(number)]
        return { fields: checkFields(schema, row, place), row, file: file.fileOf(number), place }
      }
      const benchmark = benchmarkOf(await read(rows[0]!), settings)
      for (const number of firstOfParts(rows, file).slice(1)) {
        checkSameBenchmark(benchmark, benchmarkOf(await read(number), settings), file.fileOf(number))
      }
      const orderOf = createQuestionOrder(definition.name, rows.length)
      return {
        name: benchmark.name,
        deviations: benchmark.deviations,
        questions: rows.length,
        keepsLength: true,
        async sample(request) {
          const { index, seed } = request
          const number = rows[orderOf(seed, index)]!
          const row = await read(number)
          const { text, match = 'any', labels, ...said } = await benchmark.readRow(row)
          return {
            id: sampleId(`${benchmark.name}/row-${number + 1}`, request),
            ...said,
            document: typeof text === 'string' ? createTextDocument(text, row.place) : text,
            match,
            evidence: [],
            labels: {
              kind: benchmark.name,
              ...labels,
              row: number + 1,
              epoch: Math.floor(index / rows.length),
              ownLength: true,
              present: true,
            },
          }
        },
        score: benchmark.score,
      }
    },
  })

/** The first of the rows in every file that has one. */
const firstOfParts = (rows: Int32Array, file: RowFile): number[] => {
  const first = new Map<string, number>()
  for (const row of rows) if (!first.has(file.fileOf(row))) first.set(file.fileOf(row), row)
  return [...first.values()]
}

type Identity = Pick<PublishedBenchmark<unknown>, 'name' | 'deviations'>

/** Rows of two benchmarks would have the name and the metrics of the first. */
function checkSameBenchmark(one: Identity, other: Identity, path: string): void {
  if (canonicalJson([one.name, one.deviations]) === canonicalJson([other.name, other.deviations])) return
  throw new TaskError({
    code: 'task/mixed-parts',
    message: `The rows of ${path} are asked or scored in another way than those of the files before it (${one.name}).`,
    hint: 'The parts of one file go together. Make a task of each other file.',
    details: { path, names: [one.name, other.name] },
  })
}

/** Labels from fields of a row, by label name; omits missing and unsuitable fields. */
export const labelsOf = (row: Row, fields: Readonly<Record<string, string>>): Sample['labels'] =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([label, field]) => {
      const value = row[field]
      return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
        ? [[label, value]]
        : []
    }),
  )

/** The best score over the references. */
export const bestOf = (
  metric: (answer: string, reference: string) => number,
  answer: string | undefined,
  references: readonly string[],
): number => Math.max(...references.map((reference) => metric(answer ?? '', reference)))
