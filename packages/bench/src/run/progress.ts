/** How far a run is: in samples, and in tokens by the methods' estimates, since samples differ a thousandfold. */
import type { ModelProfile } from '@memagent/core'
import type { BenchRecord } from '../record.ts'
import type { RunningJob } from './answer-job.ts'
import type { Job } from './plan.ts'
import type { RecordedSample } from './record-file.ts'

export interface BenchProgress {
  readonly planned: number
  /** With those of earlier runs. */
  readonly recorded: number
  /** Of those recorded. */
  readonly failed: number
  readonly underWay: number
  /** Of the whole plan, 0 to 1, by estimated tokens. */
  readonly share: number
  /** Tokens of prompts and answers in this run, of samples under way, too. */
  readonly tokens: number
  /** Of this run. */
  readonly seconds: number
  /** Undefined until something is done. */
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
  /** In this run. */
  #doneWork = 0
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
    this.#underWay.delete(job)
    this.#recorded++
    this.#doneWork += this.#work.get(job)!
    this.#tokens += usage.promptTokens + usage.completionTokens
    if (error) this.#failed.add(job.key)
  }

  /** It was not recorded. */
  drop(job: Job): void {
    this.#underWay.delete(job)
  }

  snapshot(): BenchProgress {
    let [tokens, work] = [this.#tokens, this.#doneWork]
    for (const [job, { usage }] of this.#underWay) {
      const own = usage.promptTokens + usage.completionTokens
      tokens += own
      work += Math.min(own, this.#work.get(job)!)
    }
    const seconds = (performance.now() - this.#startMs) / 1000
    return {
      planned: this.#planned,
      recorded: this.#recorded,
      failed: this.#failed.size,
      underWay: this.#underWay.size,
      share: 1 - (this.#openWork - work) / this.#totalWork,
      tokens,
      seconds,
      secondsLeft: work > 0 ? (seconds * (this.#openWork - work)) / work : undefined,
    }
  }
}

/** At least 1: a method that will not call the model has something to do, too. */
const estimated = ({ promptTokens, completionTokens }: { promptTokens: number; completionTokens: number }) =>
  Math.max(1, promptTokens + completionTokens)
