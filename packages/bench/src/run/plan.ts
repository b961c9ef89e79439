/** What a benchmark is to do: which methods answer which questions at which lengths, with which model. Types only. */
import type { ChatModel, ModelProfile, Sampling, Tokenizer, TokenPrices } from '@memagent/core'
import type { Task } from '@memagent/tasks'
import type { Method } from '../method.ts'

export interface PlannedLength {
  readonly lengthTokens: number
  /** Questions: the indices from 0. */
  readonly samples: number
}

export interface PlannedTask {
  /** Written to records; tells tasks of one kind with different options apart. */
  readonly name: string
  readonly task: Task
  /** As given, for records. @default none */
  readonly options?: Readonly<Record<string, unknown>> | undefined
  /** Identity of the files that the questions come from; compared when a run goes on. @default nobody says */
  readonly content?: string | undefined
  /** Whether the model saw tasks of this kind in training. @default nobody says */
  readonly seenInTraining?: boolean | undefined
  readonly lengths: readonly PlannedLength[]
}

export interface PlannedMethod {
  readonly method: Method
  /** For records, where the method is a workflow of the reader. */
  readonly workflow?: string | undefined
  /** @default every length */
  readonly lengths?: readonly number[] | undefined
  /** Longer documents are not read with it. @default no limit */
  readonly maxLengthTokens?: number | undefined
}

export interface Prices extends TokenPrices {
  /** Of tokens sent to an embeddings endpoint. @default 0 */
  readonly embedded?: number | undefined
}

export interface BenchPlan {
  /** JSON lines, one a sample. What is recorded there is not done again. @default nothing is written, see `onRecord` */
  readonly output?: string | undefined
  readonly tasks: readonly PlannedTask[]
  readonly methods: readonly PlannedMethod[]
  readonly model: ChatModel
  /** @default the model's, else the paper's */
  readonly profile?: ModelProfile | undefined
  /** Counts for prompts, and the lengths of documents. @default the model's, else an estimate */
  readonly tokenizer?: Tokenizer | undefined
  /** Its seed is that of the questions, too. @default the profile's, with seed 1 */
  readonly sampling?: Sampling | undefined
  /** Samples at a time. @default 4 */
  readonly concurrency?: number | undefined
  /** Shortest documents first, or task by task as they are listed. @default 'shortest' */
  readonly order?: 'shortest' | 'listed' | undefined
  readonly prices?: Prices | undefined
  /** Recorded with every sample and compared when a run goes on: what else the results depend on. Must be JSON. */
  readonly settings?: Readonly<Record<string, unknown>> | undefined
  /**
   * So many failures of one method in a row end the run, since its server is probably down. Documents that do not fit a
   * window are not counted. @default 20
   */
  readonly maxConsecutiveFailures?: number | undefined
}

/** The question of this task, length and index, answered with this method. */
export interface Job {
  /** Names the line in the record. */
  readonly key: string
  readonly task: PlannedTask
  readonly method: PlannedMethod
  readonly lengthTokens: number
  readonly index: number
}
