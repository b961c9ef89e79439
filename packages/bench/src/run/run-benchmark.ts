/**
 * The runner: does the jobs of a plan that are not yet recorded, several at a time, and records each as it ends. A run can be
 * killed at any moment and restarted without losing or repeating a finished sample.
 */
import {
  ChatError,
  chooseSampling,
  createEstimateTokenizer,
  createImmediateCounter,
  MemAgentError,
  paperProfile,
  promptsIdentity,
  untilAborted,
} from '@memagent/core'
import { usualPrompts } from '../methods/prompts.ts'
import type { BenchRecord } from '../record.ts'
import { type JobSettings, type RunningJob, startJob } from './answer-job.ts'
import { checkedPlan } from './check-plan.ts'
import { listJobs } from './jobs.ts'
import type { BenchPlan, Job } from './plan.ts'
import { type BenchProgress, ProgressMeter } from './progress.ts'
import { openRecordFile, type RecordedSample, type RecordFile, withoutTrace } from './record-file.ts'
import { checkSameSettings } from './same-settings.ts'
import { removeEmptyFolder, SampleCheckpoint } from './sample-checkpoint.ts'
import { SamplePool } from './sample-pool.ts'
import { type BenchSummary, summarize } from './summary.ts'

export interface RunOptions {
  /** Called with every sample once it is recorded. */
  readonly onRecord?: ((record: BenchRecord) => void) | undefined
  /** Called before the first call if lines of the record are damaged. */
  readonly onNote?: ((note: string) => void) | undefined
  /** Called at the start, after every sample, and once a second. */
  readonly onProgress?: ((progress: BenchProgress) => void) | undefined
  /** Repeats samples whose last record is a failure; the reader resumes where it failed. @default false */
  readonly retryFailed?: boolean | undefined
  /** Ends the run; unfinished samples are not recorded, and the reader resumes them in the next run. */
  readonly signal?: AbortSignal | undefined
}

const progressMs = 1000

/**
 * A failure of a method is recorded and counts as a wrong answer. Whatever is thrown, samples finished before are in the
 * record.
 * @throws ConfigurationError if the plan is wrong or asks nothing, or the output belongs to another run, to other settings or to no run;
 * TaskError when a task cannot make a sample or score an answer; ChatError when a method keeps failing; an abort throws the signal's reason
 */
export async function runBenchmark(given: BenchPlan, options: RunOptions = {}): Promise<BenchSummary> {
  options.signal?.throwIfAborted()
  const plan = checkedPlan(given)
  const jobs = listJobs(plan)
  const settings = await settingsOf(plan)
  const file = plan.output === undefined ? recordInMemory() : await openRecordFile(plan.output)
  try {
    checkRecorded(plan, settings, file)
    if (file.damagedLines > 0) options.onNote?.(ofDamaged(file.damagedLines, plan.output!))
    const open = jobs.filter(({ key }) => {
      const sample = file.recorded.get(key)
      return sample === undefined || (options.retryFailed === true && sample.error !== undefined)
    })
    await doJobs(plan, jobs, open, settings, file, options)
    await file.close()
    return {
      output: plan.output,
      model: plan.model.name,
      asked: open.length,
      ...summarize(jobs, file.recorded),
    }
  } finally {
    await file.close()
  }
}

const ofDamaged = (lines: number, path: string) =>
  `${lines === 1 ? 'A line' : `${lines} lines`} of ${path} ${lines === 1 ? 'is' : 'are'} damaged and left out: samples that no other line records are asked again.`

interface RunSettings extends JobSettings {
  readonly countTokens: (text: string) => number
}

async function doJobs(
  plan: BenchPlan,
  jobs: readonly Job[],
  open: readonly Job[],
  { countTokens, ...settings }: RunSettings,
  file: RecordFile,
  { signal, onRecord, onProgress }: RunOptions,
): Promise<void> {
  const samples = new SamplePool(open, settings.seed, countTokens)
  const { output } = plan
  const checkpointOf = output === undefined ? undefined : (job: Job) => checkpointFor(output, job, settings)
  const failures = new FailureCount(plan.maxConsecutiveFailures ?? 20)
  const progress = new ProgressMeter(jobs, open, settings.profile, file.recorded)
  const ending = new AbortController()
  const ends = signal ? AbortSignal.any([signal, ending.signal]) : ending.signal
  const tell = () => onProgress?.(progress.snapshot())

  const doJob = async (job: Job): Promise<void> => {
    const sample = await untilAborted(samples.sample(job), ends)
    // A separate signal, so that listeners do not pile up on the shared one.
    const checkpoint = checkpointOf?.(job)
    const running = startJob(job, sample, settings, AbortSignal.any([ends]), checkpoint)
    progress.start(job, running)
    try {
      const record = await running.record
      await file.append(record)
      if (record.error === undefined) await checkpoint?.remove()
      progress.end(job, record)
      onRecord?.(record)
      tell()
      failures.add(job, running)
    } finally {
      progress.drop(job)
      samples.release(job)
    }
  }
  const queue = open.values()
  const work = async (): Promise<void> => {
    try {
      for (const job of queue) {
        ends.throwIfAborted()
        await doJob(job)
      }
    } catch (error) {
      // Ends the other workers too; the first reason is the one thrown.
      ending.abort(error)
      throw error
    }
  }
  tell()
  await untilAborted(checkTasks(open, samples), ends)
  const timer = setInterval(tell, progressMs)
  try {
    await Promise.allSettled(Array.from({ length: Math.min(plan.concurrency ?? 4, open.length) }, work))
  } finally {
    clearInterval(timer)
    if (output !== undefined) await removeEmptyFolder(output)
  }
  ends.throwIfAborted()
}

/** Contains everything the result depends on: after a change, the sample is read anew. */
const checkpointFor = (output: string, { key, task }: Job, { settings, seed }: JobSettings) =>
  new SampleCheckpoint(output, [key, seed, settings, task.options ?? {}, task.content ?? null])

/** Makes the first sample of every task, so that a task that cannot make any ends the run at its start. */
async function checkTasks(open: readonly Job[], samples: SamplePool): Promise<void> {
  const first = new Map(open.toReversed().map((job) => [job.task.name, job]))
  for (const job of first.values()) await samples.sample(job)
}

/** Ends a run that keeps failing. */
class FailureCount {
  readonly #most: number
  readonly #inARow = new Map<string, number>()

  constructor(most: number) {
    this.#most = most
  }

  /** @throws ChatError after this many consecutive failures of one method */
  add({ method: { method } }: Job, { error }: RunningJob): void {
    // A document that does not fit is a limit of the method, not a passing fault.
    if (MemAgentError.isInstance(error) && error.code === 'chat/overlong-prompt') return
    const inARow = error === undefined ? 0 : (this.#inARow.get(method.name) ?? 0) + 1
    this.#inARow.set(method.name, inARow)
    if (inARow < this.#most) return
    throw new ChatError({
      code: 'bench/failing',
      message: `${method.name} failed ${inARow} times in a row, the last time with: ${(error as Error).message}`,
      hint: 'These samples are recorded as failed. Once the cause is gone, run the same command with --retry-failed.',
      details: { method: method.name, inARow },
      cause: error,
    })
  }
}

async function settingsOf(plan: BenchPlan): Promise<RunSettings> {
  const { model, prices } = plan
  const profile = plan.profile ?? model.profile ?? paperProfile
  const tokenizer = plan.tokenizer ?? model.tokenizer ?? createEstimateTokenizer()
  const lengths = await createImmediateCounter(tokenizer)
  const { seed = 1, ...sampling } = chooseSampling(plan.sampling, profile.sampling)
  const { budget, chunking = 'natural', prompts } = profile
  return {
    model,
    profile,
    tokenizer,
    seed,
    sampling: { ...sampling, seed },
    ahead: plan.ahead,
    prices,
    program: plan.program,
    countTokens: lengths.count,
    settings: {
      budget,
      chunking,
      prompts: promptsIdentity(prompts ?? usualPrompts),
      ...sampling,
      lengths: { tokenizer: lengths.name, isExact: lengths.isExact },
      ...plan.settings,
    },
  }
}

function checkRecorded(plan: BenchPlan, { seed, settings }: RunSettings, file: RecordFile): void {
  if (plan.output === undefined) return
  const planned = new Map(plan.tasks.map((task) => [task.name, task]))
  checkSameSettings(
    plan.output,
    file.recorded.values(),
    plan.model.name,
    (task) => {
      const found = planned.get(task)
      return found && { seed, taskOptions: found.options ?? {}, taskContent: found.content, settings }
    },
    new Map(plan.methods.map(({ method, workflow }) => [method.name, workflow])),
  )
}

function recordInMemory(): RecordFile {
  const recorded = new Map<string, RecordedSample>()
  return {
    recorded,
    damagedLines: 0,
    append: async (record) => {
      recorded.set(record.key, withoutTrace(record))
    },
    close: async () => undefined,
  }
}
