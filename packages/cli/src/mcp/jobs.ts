/** The jobs of one client: the same work never runs twice at once, and only a few jobs run at a time. */
import { createConcurrencyLimit, untilAborted } from '@memagent/core'
import { type Fields, WantedRuns, within } from '@memagent/server'
import { Job, type JobProgress, type Work } from './job.ts'

/** Readings at a time; others wait in line. */
const places = 4

export interface WaitOptions {
  readonly ms: number
  /** Of the call: on abort, the job is stopped if nobody else waits and the client knows no run to ask for. */
  readonly signal: AbortSignal
  readonly onProgress?: ((progress: JobProgress) => void) | undefined
}

/** Resolves whether it failed or not. */
const ended = async (job: Job | undefined): Promise<void> => {
  await job?.ended.catch(() => undefined)
}

export class Jobs {
  readonly #running = new Map<string, Job>()
  readonly #wanted = new WantedRuns()
  readonly #limit = createConcurrencyLimit(places)
  #isClosed = false

  /** The running job for this key, or a new one, which first waits for a stopped one to end. */
  start(key: string, work: Work): Job {
    const before = this.#running.get(key)
    if (before && !before.isStopped) return before
    const limited: Work = (signal, onEvent) => this.#limit(() => work(signal, onEvent), signal)
    const job = new Job(key, limited, ended(before))
    this.#running.set(key, job)
    this.#wanted.begun(key)
    void ended(job).then(() => {
      if (this.#running.get(key) === job) this.#running.delete(key)
    })
    if (this.#isClosed) job.stop()
    return job
  }

  /** @returns undefined if it goes on after this time @throws what its work throws; the signal's reason */
  async wait(job: Job, { ms, signal, onProgress }: WaitOptions): Promise<Fields | undefined> {
    const unwatch = job.watch(() => onProgress?.(job.progress))
    const work = () => untilAborted(within(ms, job.ended), signal)
    return this.#wanted.wait(job.key, { signal, work, stop: async () => job.stop() }).finally(unwatch)
  }

  /** Stops all jobs; their runs can be resumed. */
  async close(): Promise<void> {
    this.#isClosed = true
    const jobs = [...this.#running.values()]
    for (const job of jobs) job.stop()
    await Promise.all(jobs.map(ended))
  }
}
