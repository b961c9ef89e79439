/**
 * A task from a JSONL file of questions, `{question, document | documentFile, answers, match?, id?}` per line. Document paths
 * are relative to the JSONL file. The index picks the line: each once per epoch, in an order drawn from the seed.
 */
import { stat } from 'node:fs/promises'
import { basename, dirname, resolve } from 'node:path'
import { createTextDocument, DocumentError, TaskError, type TextDocument } from '@memagent/core'
import { createFileDocument } from '@memagent/core/node'
import { z } from 'zod'
import { defineTask } from '../define-task.ts'
import { createQuestionOrder } from '../question-order.ts'
import { createRandom } from '../random.ts'
import { openRows } from '../rows/open-rows.ts'
import { badRow, checkEveryRow, checkFields, type RowFile, text } from '../rows/row-file.ts'
import { sampleId } from '../sample-id.ts'
import { filePath, prose } from '../settings/task-options.ts'
import type { SampleRequest, Task } from '../task.ts'
import { normalizeAnswer } from '../verifiers/normalize.ts'
import { scoreAnswer } from '../verifiers/score.ts'
import { type DocumentSize, measureDocument, padDocument } from './padded-document.ts'

const options = z.strictObject({
  path: filePath('the JSONL file of questions', 'A file of questions: JSONL, a JSON array or Parquet.'),
  name: z
    .string()
    .min(1)
    .optional()
    .meta({ description: 'Name of the task.', defaultIs: 'the name of the file without its extension' }),
  pad: z
    .boolean()
    .default(false)
    .describe(
      'Surround documents shorter than the requested length with prose, up to that length. Without it, the length is ignored and every document keeps its own.',
    ),
  /** Required for `pad`. */
  prose: prose.optional(),
})

export const jsonlTask = defineTask({
  name: 'jsonl',
  description: 'Questions of your own, from a file of rows.',
  options,
  create: createJsonlTask,
})

const answer = z
  .string()
  .refine((value) => normalizeAnswer(value) !== '')
  .meta({ takes: 'a text with letters or digits' })

/** A row of the file. */
export const questionRowSchema = z
  .object({
    question: text.describe('The question.'),
    document: text.optional().describe('The text.'),
    documentFile: text
      .optional()
      .describe(
        'Instead of `document`: the path of a text file, relative to the file of rows, which is streamed.',
      ),
    answers: z.array(answer).meta({
      takes: 'a list of texts with letters or digits; empty where the document does not answer',
      description: 'The right answers.',
    }),
    match: z
      .enum(['any', 'all'])
      .default('any')
      .describe('`any`: one answer is enough; `all`: all are wanted, and the score is the share found.'),
    id: z
      .string()
      .min(1)
      .optional()
      .meta({ description: 'Names the question in records.', defaultIs: '`line-1`, `line-2`...' }),
  })
  .superRefine(({ document, documentFile }, context) => {
    if ((document === undefined) !== (documentFile === undefined)) return
    const path = [document === undefined ? 'document' : 'documentFile']
    context.addIssue({ code: 'custom', path, message: 'give either document or documentFile' })
  })

/** @throws TaskError for a file that cannot be read or has no rows, and for wrong rows, with their numbers */
async function createJsonlTask({ path, pad, prose, ...settings }: z.output<typeof options>): Promise<Task> {
  const file = resolve(path)
  const { name = basename(file).replace(/\.[^.]+$/, '') } = settings
  if (pad && prose === undefined) {
    throw new TaskError({
      code: 'task/no-prose',
      message: `${file} cannot be padded: no prose was given.`,
      hint: 'Give `prose`, or leave `pad` out.',
    })
  }
  const rows = await openRows([file])
  await checkQuestions(rows)
  const rowAt = createQuestionOrder('jsonl', rows.count)
  const sizes = new WeakMap<(text: string) => number, Map<number, DocumentSize>>()

  const padded = async (
    document: TextDocument,
    row: number,
    { seed, index, lengthTokens, countTokens }: SampleRequest,
  ): Promise<TextDocument> => {
    const known = sizes.get(countTokens) ?? new Map<number, DocumentSize>()
    sizes.set(countTokens, known)
    const size = known.get(row) ?? (await measureDocument(document, countTokens))
    known.set(row, size)
    const random = createRandom('jsonl', 'padding', seed, index, lengthTokens)
    return padDocument({ document, size, prose: prose!, lengthTokens, countTokens, random }).document
  }

  return {
    name,
    questions: rows.count,
    keepsLength: !pad,
    keepsLonger: pad,
    async sample(request) {
      const row = rowAt(request.seed, request.index)
      const number = rows.numberOf(row)
      const { id = idOf(number), ...asked } = checkFields(
        questionRowSchema,
        await rows.read(row),
        rows.placeOf(row),
        'The file was changed while it was in use.',
      )
      const document =
        asked.documentFile === undefined
          ? createTextDocument(asked.document!, id)
          : await createFileDocument(resolve(dirname(file), asked.documentFile))
      return {
        id: sampleId(`${name}/${id}`, request),
        question: asked.question,
        document: pad ? await padded(document, row, request) : document,
        references: asked.answers,
        match: asked.match,
        evidence: [],
        labels: {
          kind: name,
          id,
          line: number,
          epoch: Math.floor(request.index / rows.count),
          present: asked.answers.length > 0,
        },
      }
    },
    score: scoreAnswer,
  }
}

/** Opens only as much of the file as shows whether it is text. */
async function problemOfText(path: string): Promise<string | undefined> {
  try {
    for await (const { text } of (await createFileDocument(path)).open()) {
      if (/\S/.test(text)) return undefined
    }
    return 'holds no text'
  } catch (error) {
    if (!DocumentError.isInstance(error)) throw error
    return `cannot be read (${error.message})`
  }
}

const idOf = (number: number): string => `line-${number}`

/** @throws TaskError that names the wrong rows and what is wrong with each */
async function checkQuestions(rows: RowFile): Promise<void> {
  const hint = 'Each row is an object: {"question": "...", "document": "...", "answers": ["..."]}'
  const seen = new Map<string, string>()
  await checkEveryRow(rows.path, rows.scan(), { code: 'task/bad-jsonl', hint }, async (row) => {
    const { id = idOf(row.number), documentFile } = checkFields(questionRowSchema, row.fields(), row.place)
    const earlier = seen.get(id)
    if (earlier !== undefined)
      throw badRow(row.place, `the id ${JSON.stringify(id)} was already used in ${earlier}`)
    seen.set(id, row.place.slice(rows.path.length + 2))
    if (documentFile === undefined) return
    const path = resolve(dirname(rows.path), documentFile)
    const status = await stat(path).catch(() => undefined)
    if (status === undefined) throw badRow(row.place, `there is no document ${path}`)
    if (!status.isFile()) throw badRow(row.place, `the document ${path} is not a file`)
    const problem = await problemOfText(path)
    if (problem !== undefined) throw badRow(row.place, `the document ${path} ${problem}`)
  })
  if (rows.count > 0) return
  const message = `${rows.path} holds no questions.`
  throw new TaskError({ code: 'task/empty-jsonl', message, hint, details: { path: rows.path } })
}
