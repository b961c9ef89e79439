/**
 * A task from a JSONL file of questions: `{question, document | documentFile, answers, match?, id?}` a line. Paths of documents
 * are relative to the JSONL file. The index picks the line: each one once an epoch, in an order drawn from the seed.
 */
import { basename, resolve } from 'node:path'
import { createTextDocument, TaskError, type TextDocument } from '@memagent/core'
import { createFileDocument } from '@memagent/core/node'
import { z } from 'zod'
import { defineTask } from '../define-task.ts'
import { createQuestionOrder } from '../question-order.ts'
import { createRandom } from '../random.ts'
import { sampleId } from '../sample-id.ts'
import { filePath, prose } from '../settings/task-options.ts'
import type { Task } from '../task.ts'
import { scoreAnswer } from '../verifiers/score.ts'
import { indexLines, readLine } from './jsonl-lines.ts'
import { type DocumentSize, measureDocument, padDocument } from './padded-document.ts'

const options = z.strictObject({
  path: filePath('the JSONL file of questions', 'A file of questions, one JSON object a line.'),
  name: z
    .string()
    .min(1)
    .optional()
    .meta({ description: 'What the task is called.', defaultIs: 'the name of the file without its ending' }),
  pad: z
    .boolean()
    .default(false)
    .describe(
      'Surround documents that are shorter than the length asked for with prose, up to that length. Otherwise the length is ignored, and every document is as long as it is.',
    ),
  /** Wanted for `pad`. */
  prose: prose.optional(),
})

export const jsonl = defineTask({
  name: 'jsonl',
  description: 'Questions of your own, from a JSONL file.',
  options,
  create: jsonlTask,
})

/** @throws TaskError for a file that cannot be read, has no lines, or wrong ones: with their numbers */
async function jsonlTask({ path, pad, prose, ...settings }: z.output<typeof options>): Promise<Task> {
  const file = resolve(path)
  const { name = basename(file).replace(/\.[^.]+$/, '') } = settings
  if (pad && prose === undefined) {
    throw new TaskError({
      code: 'task/no-prose',
      message: `${file} is to be padded, but there is no prose to do it with.`,
      hint: 'Give `prose`, or leave `pad` out.',
    })
  }
  const places = await indexLines(file)
  const lineAt = createQuestionOrder('jsonl', places.length)
  const sizes = new WeakMap<(text: string) => number, Map<number, DocumentSize>>()

  const padded = async (
    document: TextDocument,
    line: number,
    lengthTokens: number,
    countTokens: (text: string) => number,
    seed: number,
    index: number,
  ): Promise<TextDocument> => {
    const known = sizes.get(countTokens) ?? new Map<number, DocumentSize>()
    sizes.set(countTokens, known)
    const size = known.get(line) ?? (await measureDocument(document, countTokens))
    known.set(line, size)
    const random = createRandom('jsonl', 'padding', seed, index, lengthTokens)
    return padDocument({ document, size, prose: prose!, lengthTokens, countTokens, random }).document
  }

  return {
    name,
    async sample(request) {
      const { index, seed, lengthTokens, countTokens } = request
      const line = lineAt(seed, index)
      const epoch = Math.floor(index / places.length)
      const place = places[line]!
      const { id, question, source, answers, match } = await readLine(file, place)
      const document =
        'text' in source ? createTextDocument(source.text, id) : await createFileDocument([source.path])
      return {
        id: sampleId(`${name}/${id}`, request),
        question,
        document: pad ? await padded(document, line, lengthTokens, countTokens, seed, index) : document,
        references: answers,
        match,
        evidence: [],
        labels: { kind: name, id, line: place.number, epoch, present: answers.length > 0 },
      }
    },
    score: scoreAnswer,
  }
}
