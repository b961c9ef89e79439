/**
 * The training set of the MemAgent paper (arXiv 2507.02259, and the repository's `taskutils/memory_data`): questions of
 * HotpotQA with 200 documents each, without those that a model answers without any document. Such questions teach nothing
 * about reading, as the answer is in the weights.
 */
import { z } from 'zod'
import { rulerHqa } from '../ruler-hqa.ts'
import { count, readTaskOptions } from '../settings/task-options.ts'
import { containsReference } from '../verifiers/lenient.ts'

/** Answers a question from memory, without any text. Undefined: no answer. */
export type AskWithoutText = (question: string, attempt: number) => Promise<string | undefined>

export interface SynthesisOptions {
  /** HotpotQA's training set, `hotpot_train_v1.1.json`. */
  readonly path: string
  /** @default 200 */
  readonly documents?: number
  /** Decides the order of the questions, the choice of documents, and their order. @default 1 */
  readonly seed?: number
  /** The model that filters. @default no filter */
  readonly ask?: AskWithoutText | undefined
  /** Attempts at each question; a single right one drops it. @default 2 */
  readonly bestOf?: number
  /** Concurrent questions. @default 8 */
  readonly concurrency?: number
  /** Where to resume: earlier questions are already decided. @default 0 */
  readonly from?: number
}

const synthesisCounts = z.strictObject({ bestOf: count(1), concurrency: count(1) })

/** A line of a file that the task `jsonl` reads. */
export interface TrainingRow {
  readonly id: string
  readonly question: string
  readonly document: string
  readonly answers: readonly string[]
  readonly match: 'any'
}

export interface SynthesisStep {
  /** Position of the question in the drawn order. */
  readonly index: number
  readonly question: string
  /** Undefined: it was answered without any text, and is dropped. */
  readonly row: TrainingRow | undefined
}

/**
 * Decides on the questions one by one, each once, until all are decided or the caller has enough.
 * @throws TaskError for wrong options and files; what `ask` throws
 */
export async function* synthesizeRulerHqa(options: SynthesisOptions): AsyncGenerator<SynthesisStep> {
  const { path, documents = 200, seed = 1, ask, bestOf = 2, concurrency = 8, from = 0 } = options
  readTaskOptions('ruler-hqa', synthesisCounts, { bestOf, concurrency })
  const task = await rulerHqa.create({ path, documents })
  const rowOf = async (index: number): Promise<TrainingRow | undefined> => {
    // Length and count are ignored if the number of documents is given.
    const sample = await task.sample({ index, seed, lengthTokens: 0, countTokens: ({ length }) => length })
    if (sample.labels.epoch !== 0) {
      return undefined
    }
    let document = ''
    for await (const { text } of sample.document.open()) {
      document += text
    }
    const { question, references } = sample
    return { id: `hotpotqa-${index}`, question, document, answers: references, match: 'any' }
  }
  for (let start = from; ; start += concurrency) {
    const rows = await Promise.all(Array.from({ length: concurrency }, (_, i) => rowOf(start + i)))
    const asked = rows.filter((row) => row !== undefined)
    const known = await Promise.all(asked.map((row) => ask && isKnown(row, ask, bestOf)))
    for (const [i, row] of asked.entries()) {
      yield { index: start + i, question: row.question, row: known[i] === true ? undefined : row }
    }
    if (asked.length < concurrency) {
      return
    }
  }
}

/** Whether an attempt contains a right answer. */
async function isKnown(
  { question, answers }: Pick<TrainingRow, 'question' | 'answers'>,
  ask: AskWithoutText,
  bestOf: number,
): Promise<boolean> {
  for (let attempt = 0; attempt < bestOf; attempt += 1) {
    const answer = (await ask(question, attempt)) ?? ''
    if (answers.some((reference) => containsReference(answer, reference))) {
      return true
    }
  }
  return false
}
