/** Does one job: asks the method, scores the answer, and records everything needed to examine it later. */
import {
  type ChatModel,
  type ChatResult,
  CheckpointError,
  MemAgentError,
  messageOf,
  statedAnswer,
  type TextDocument,
  withoutKeys,
} from '@memagent/core'
import type { Sample } from '@memagent/tasks'
import type { MethodRequest, MethodResult, MethodUsage, Warning } from '../method.ts'
import { Meter } from '../methods/meter.ts'
import type { BenchRecord, RecordedWarning } from '../record.ts'
import { checkResult } from './check-result.ts'
import type { Job, Prices } from './plan.ts'
import type { SampleCheckpoint } from './sample-checkpoint.ts'
import type { MadeSample } from './sample-pool.ts'

export interface JobSettings
  extends Omit<
    MethodRequest,
    | 'question'
    | 'query'
    | 'document'
    | 'memory'
    | 'signal'
    | 'checkpoints'
    | 'onShare'
    | 'onConversation'
    | 'onWarning'
  > {
  readonly prices?: Prices | undefined
  /** The question's seed, for records. */
  readonly seed: number
  /** For records. */
  readonly program?: string | undefined
  readonly settings: Readonly<Record<string, unknown>>
}

/** A job in progress. */
export interface RunningJob {
  /** Usage so far. */
  readonly usage: MethodUsage
  /** Share of the document that is done, 0 to 1; undefined until the method reports it. */
  readonly share: number | undefined
  /** The part of that share done by an earlier run, at no cost to this one. */
  readonly earlierShare: number
  /**
   * Failures of the method are recorded.
   * @throws what scoring throws, ConfigurationError when the method returned no result, CheckpointError when the checkpoint
   * cannot be written; an abort throws the signal's reason
   */
  readonly record: Promise<BenchRecord>
  /** What the method threw; undefined while it runs, and when it answered. */
  readonly error: unknown
}

/** @param checkpoint for methods that can resume */
export function startJob(
  job: Job,
  made: MadeSample,
  { prices, seed, program, settings, ...request }: JobSettings,
  signal: AbortSignal,
  checkpoint?: SampleCheckpoint,
): RunningJob {
  const { sample } = made
  const meter = new Meter(request.model)
  let error: unknown
  let share: number | undefined
  let earlierShare = 0
  const onShare = (value: number) => {
    share = value
    // A resumed reading reports the share done earlier before its first call.
    if (meter.usage.calls === 0) earlierShare = value
  }
  const answer = async (): Promise<BenchRecord> => {
    const startMs = performance.now()
    let result: MethodResult | undefined
    let last: ChatResult | undefined
    const warnings = new Map<string, RecordedWarning>()
    const { question, query, document, memory } = sample
    const ask = async () =>
      job.method.method.answer({
        ...request,
        model: meter.model,
        question,
        query,
        document,
        memory,
        signal,
        checkpoints: checkpoint,
        onShare,
        onConversation: ({ tag }, response) => {
          if (tag.kind === 'answer') last = response
        },
        onWarning: (warning) => addWarning(warnings, warning),
      })
    try {
      result = await ask().catch(async (cause: unknown) => {
        if (!checkpoint || !isOfNoUse(cause)) throw cause
        await checkpoint.remove()
        share = undefined
        earlierShare = 0
        return ask()
      })
    } catch (cause) {
      await checkpoint?.write()
      signal.throwIfAborted()
      if (CheckpointError.isInstance(cause)) throw cause
      error = cause
    }
    if (error === undefined) checkResult(job.method.method.name, result)
    const seconds = result?.seconds ?? (performance.now() - startMs) / 1000
    const usage = result?.usage ?? meter.usage
    const price = prices && priceOf(usage, prices)
    return {
      ...described(job, made, request.model, seed),
      documentBytes: sample.document.sizeBytes ?? (await sizeOf(sample.document, signal)),
      ...answered(job, sample, result, { error, last }),
      warnings: [...warnings.values()],
      usage,
      steps: result?.steps ?? 0,
      seconds,
      price: Number.isNaN(price) ? undefined : price,
      trace: result?.trace ?? [],
      seen: result?.seen,
      program,
      settings,
      finishedAt: new Date().toISOString(),
    }
  }
  const record = answer()
  return {
    record,
    get usage() {
      return meter.usage
    },
    get share() {
      return share
    },
    get earlierShare() {
      return earlierShare
    },
    get error() {
      return error
    },
  }
}

/** The checkpoint is damaged or outdated; one that cannot be written is another matter. */
const isOfNoUse = (cause: unknown) =>
  CheckpointError.isInstance(cause) && cause.code !== 'checkpoint/unwritable'

function described(
  { key, task, method, lengthTokens, index }: Job,
  { sample, keepsLength }: MadeSample,
  model: ChatModel,
  seed: number,
) {
  return {
    version: 1,
    key,
    task: task.name,
    taskOptions: task.options ?? {},
    taskContent: task.content,
    deviations: task.task.deviations ?? [],
    seenInTraining: task.seenInTraining,
    trained: method.trained,
    method: method.method.name,
    model: model.name,
    workflow: method.workflow,
    lengthTokens,
    keepsLength: keepsLength ? true : undefined,
    index,
    seed,
    sampleId: sample.id,
    question: sample.question,
    references: sample.references,
    match: sample.match,
    evidence: sample.evidence,
    labels: sample.labels,
  } as const
}

/** A failed call is a wrong answer, whatever the right one is. */
function answered(
  { task: { task } }: Job,
  sample: Sample,
  result: MethodResult | undefined,
  { error, last }: { readonly error: unknown; readonly last: ChatResult | undefined },
) {
  if (result) {
    const { text, outcome, response, finishReason } = result.answer
    const metrics = task.score(sample, statedAnswer(result.answer), response)
    return { answer: text, outcome, response, finishReason, metrics }
  }
  const metrics = Object.keys(task.score(sample, undefined)).map((name) => [name, 0] as const)
  return {
    answer: '',
    outcome: 'failed' as const,
    response: last?.text,
    finishReason: last?.finishReason,
    metrics: Object.fromEntries(metrics),
    error: told(error),
  }
}

/** One entry per code and message: a warning may occur at every step. */
function addWarning(warnings: Map<string, RecordedWarning>, { code, message, step }: Warning): void {
  const key = `${code} ${message}`
  const steps = warnings.get(key)?.steps ?? []
  warnings.set(key, { code, message, steps: [...steps, step] })
}

function told(error: unknown): NonNullable<BenchRecord['error']> {
  if (MemAgentError.isInstance(error)) return { code: error.code, message: withoutKeys(error.message) }
  return { code: 'unexpected', message: withoutKeys(messageOf(error)) }
}

export const priceOf = (
  {
    promptTokens,
    completionTokens,
    embeddedTokens = 0,
  }: Pick<MethodUsage, 'promptTokens' | 'completionTokens' | 'embeddedTokens'>,
  { prompt, completion, embedded = 0 }: Prices,
): number =>
  (promptTokens * prompt + completionTokens * completion + (embedded && embeddedTokens * embedded)) / 1e6

async function sizeOf(document: TextDocument, signal: AbortSignal): Promise<number> {
  let bytes = 0
  for await (const { lengthBytes } of document.open(signal)) bytes += lengthBytes
  return bytes
}
