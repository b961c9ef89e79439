/** What a benchmark will do: which methods answer which questions at which lengths, with which model. Types only. */
import type { ChatModel, ModelProfile, Sampling, Tokenizer, TokenPrices } from '@memagent/core'
import type { Task } from '@memagent/tasks'
import type { Method } from '../method.ts'

export interface PlannedLength {
  readonly lengthTokens: number
  /** Number of questions; their indices start at 0. */
  readonly samples: number
}

export interface PlannedTask {
  /** Written to records; distinguishes tasks of one kind with different options. */
  readonly name: string
  readonly task: Task
  /** As given, for records. @default none */
  readonly options?: Readonly<Record<string, unknown>> | undefined
  /** Identity of the files that the questions come from; compared on resume. @default unknown */
  readonly content?: string | undefined
  /** Whether the model saw tasks of this kind in training. @default unknown */
  readonly seenInTraining?: boolean | undefined
  readonly lengths: readonly PlannedLength[]
}

export interface PlannedMethod {
  readonly method: Method
  /** For records, if the method is a workflow of the reader. */
  readonly workflow?: string | undefined
  /** For records: whether the model was trained for the workflow whose conversations it holds. @default unknown */
  readonly trained?: boolean | undefined
  /** @default every length */
  readonly lengths?: readonly number[] | undefined
  /** The method is not run at greater lengths; documents of their own length are not measured for it. @default no limit */
  readonly maxLengthTokens?: number | undefined
}

export interface Prices extends TokenPrices {
  /** Price of tokens sent to an embeddings endpoint. @default 0 */
  readonly embedded?: number | undefined
}

export interface BenchPlan {
  /** JSON Lines, one per sample. Recorded samples are not repeated. @default nothing is written, see `onRecord` */
  readonly output?: string | undefined
  readonly tasks: readonly PlannedTask[]
  readonly methods: readonly PlannedMethod[]
  readonly model: ChatModel
  /** @default the model's, otherwise the paper's */
  readonly profile?: ModelProfile | undefined
  /** Counts prompts and the lengths of documents. @default the model's, otherwise an estimate */
  readonly tokenizer?: Tokenizer | undefined
  /** Its seed is also that of the questions. @default the profile's, with seed 1 */
  readonly sampling?: Sampling | undefined
  /** Chunks of a sample to ask about at once, for workflows that can. @default 1 */
  readonly ahead?: number | undefined
  /** Concurrent samples. @default 4 */
  readonly concurrency?: number | undefined
  /** Shortest documents first, or task by task as listed. @default 'shortest' */
  readonly order?: 'shortest' | 'listed' | undefined
  readonly prices?: Prices | undefined
  /** Other settings that the results depend on: recorded with every sample and compared on resume. Must be JSON. */
  readonly settings?: Readonly<Record<string, unknown>> | undefined
  /** The program that asks, for records; may differ when a run is resumed. */
  readonly program?: string | undefined
  /**
   * Ends the run after this many consecutive failures of one method, since its server is probably down. Documents that do not
   * fit a window do not count. @default 20
   */
  readonly maxConsecutiveFailures?: number | undefined
}

/** One question (task, length and index) for one method. */
export interface Job {
  /** Identifies the line in the record. */
  readonly key: string
  readonly task: PlannedTask
  readonly method: PlannedMethod
  readonly lengthTokens: number
  readonly index: number
}
