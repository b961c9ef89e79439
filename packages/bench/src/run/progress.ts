/** Progress of a run, in samples and in estimated tokens, since samples differ in size a thousandfold. */
import type { ModelProfile } from '@memagent/core'
import type { BenchRecord } from '../record.ts'
import type { RunningJob } from './answer-job.ts'
import type { Job } from './plan.ts'
import type { RecordedSample } from './record-file.ts'

export interface BenchProgress {
  readonly planned: number
  /** Including earlier runs. */
  readonly recorded: number
  /** Failed ones among the recorded. */
  readonly failed: number
  readonly underWay: number
  /** Share of the whole plan, 0 to 1, by estimated tokens. */
  readonly share: number
  /** Tokens of prompts and responses in this run, including unfinished samples. */
  readonly tokens: number
  /** Duration of this run. */
  readonly seconds: number
  /** Undefined until this run has done something. */
  readonly secondsLeft: number | undefined
}

export class ProgressMeter {
  readonly #planned: number
  readonly #startMs = performance.now()
  readonly #work = new Map<Job, number>()
  readonly #underWay = new Map<Job, RunningJob>()
  readonly #failed: Set<string>
  #recorded: number
  readonly #totalWork: number
  readonly #openWork: number
  /** By method: tokens used by its finished samples, and their estimates. */
  readonly #finished = new Map<string, { tokens: number; work: number }>()
  /** Work of the samples that ended in this run, and the part of it that earlier runs did. */
  #doneWork = 0
  #earlierWork = 0
  /** In this run. */
  #tokens = 0

  constructor(
    jobs: readonly Job[],
    open: readonly Job[],
    profile: ModelProfile,
    recorded: ReadonlyMap<string, RecordedSample>,
  ) {
    const known = new Map<string, number>()
    const workOf = ({ method: { method }, lengthTokens }: Job) => {
      const id = `${method.name}/${lengthTokens}`
      const work = known.get(id) ?? estimated(method.estimate(lengthTokens, profile))
      known.set(id, work)
      return work
    }
    for (const job of open) this.#work.set(job, workOf(job))
    for (const job of jobs) {
      const sample = recorded.get(job.key)
      if (sample) this.#learn(job, workOf(job), sample)
    }
    const sum = (list: readonly Job[]) => list.reduce((total, job) => total + workOf(job), 0)
    this.#planned = jobs.length
    this.#totalWork = sum(jobs)
    this.#openWork = sum(open)
    this.#recorded = jobs.length - open.length
    const openKeys = new Set(open.map(({ key }) => key))
    this.#failed = new Set(
      jobs.flatMap(({ key }) => (recorded.get(key)?.error && !openKeys.has(key) ? [key] : [])),
    )
  }

  start(job: Job, running: RunningJob): void {
    this.#underWay.set(job, running)
  }

  end(job: Job, { error, usage }: BenchRecord): void {
    const work = this.#work.get(job)!
    const running = this.#underWay.get(job)!
    this.#underWay.delete(job)
    this.#recorded++
    this.#doneWork += work
    this.#earlierWork += running.earlierShare * work
    // The record also counts the calls of earlier runs.
    this.#tokens += tokensOf(running.usage)
    this.#learn(job, work, { error, usage })
    if (error) this.#failed.add(job.key)
  }

  /** Call it when a job ends, with or without a record. */
  drop(job: Job): void {
    this.#underWay.delete(job)
  }

  #learn({ method }: Job, work: number, { error, usage }: Pick<BenchRecord, 'error' | 'usage'>): void {
    if (error || tokensOf(usage) === 0) return
    const { name } = method.method
    const { tokens, work: before } = this.#finished.get(name) ?? { tokens: 0, work: 0 }
    this.#finished.set(name, { tokens: tokens + tokensOf(usage), work: before + work })
  }

  /** Actual share of the estimates, which are upper bounds: a sample that used half of its tokens may be done. */
  #shareTaken({ method }: Job): number {
    const { tokens, work } = this.#finished.get(method.method.name) ?? { tokens: 1, work: 1 }
    return tokens > 0 ? Math.min(1, tokens / work) : 1
  }

  snapshot(): BenchProgress {
    let [tokens, work, earlierWork] = [this.#tokens, this.#doneWork, this.#earlierWork]
    for (const [job, { usage, share, earlierShare }] of this.#underWay) {
      const own = tokensOf(usage)
      const whole = this.#work.get(job)!
      tokens += own
      work += share === undefined ? Math.min(own / this.#shareTaken(job), whole) : share * whole
      earlierWork += earlierShare * whole
    }
    const seconds = (performance.now() - this.#startMs) / 1000
    const ownWork = work - earlierWork
    return {
      planned: this.#planned,
      recorded: this.#recorded,
      failed: this.#failed.size,
      underWay: this.#underWay.size,
      share: 1 - (this.#openWork - work) / this.#totalWork,
      tokens,
      seconds,
      secondsLeft: ownWork > 0 ? (seconds * (this.#openWork - work)) / ownWork : undefined,
    }
  }
}

/** 0 if they are unknown. */
const tokensOf = ({
  promptTokens,
  completionTokens,
}: Pick<BenchRecord['usage'], 'promptTokens' | 'completionTokens'>) => promptTokens + completionTokens || 0

/** At least 1, as a method without calls takes some work too. */
const estimated = ({ promptTokens, completionTokens }: { promptTokens: number; completionTokens: number }) =>
  Math.max(1, promptTokens + completionTokens)
