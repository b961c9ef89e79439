/** The jobs of one client: the same work never runs twice at once, and only a few jobs run at a time. */
import { setTimeout } from 'node:timers/promises'
import { createConcurrencyLimit } from '@memagent/core'
import type { Fields } from '@memagent/server'
import { Job, type JobProgress, type Work } from './job.ts'

/** Readings at a time; others wait in line. */
const places = 4

export interface WaitOptions {
  readonly ms: number
  /** Of the call: on abort, the job is stopped if nobody else waits and the client knows no run to ask for. */
  readonly signal: AbortSignal
  readonly onProgress?: ((progress: JobProgress) => void) | undefined
}

interface Held {
  readonly job: Job
  waiting: number
  /** The client knows the job, and will ask again. */
  isHandedOut: boolean
}

/** Resolves whether it failed or not. */
const ended = async (job: Job | undefined): Promise<void> => {
  await job?.ended.catch(() => undefined)
}

export class Jobs {
  readonly #held = new Map<string, Held>()
  readonly #limit = createConcurrencyLimit(places)
  #isClosed = false

  /** The running job for this key, or a new one, which first waits for a stopped one to end. */
  start(key: string, work: Work): Job {
    const before = this.#held.get(key)?.job
    if (before && !before.isStopped) return before
    const job = new Job((signal, onEvent) => this.#limit(() => work(signal, onEvent), signal), ended(before))
    this.#held.set(key, { job, waiting: 0, isHandedOut: false })
    void ended(job).then(() => {
      if (this.#held.get(key)?.job === job) this.#held.delete(key)
    })
    if (this.#isClosed) job.stop()
    return job
  }

  /** @returns undefined if it goes on after this time @throws what its work throws; the signal's reason */
  async wait(job: Job, { ms, signal, onProgress }: WaitOptions): Promise<Fields | undefined> {
    const held = [...this.#held.values()].find((one) => one.job === job)
    const unwatch = job.watch(() => onProgress?.(job.progress))
    const timer = new AbortController()
    if (held) held.waiting++
    try {
      const late = setTimeout(ms, undefined, { signal: AbortSignal.any([timer.signal, signal]) })
      const end = await Promise.race([job.ended, late])
      if (end === undefined && held) held.isHandedOut = true
      return end ?? undefined
    } catch (error) {
      if (signal.aborted && held && held.waiting === 1 && !held.isHandedOut) job.stop()
      throw error
    } finally {
      if (held) held.waiting--
      unwatch()
      timer.abort()
    }
  }

  /** Stops all jobs; their runs can be resumed. */
  async close(): Promise<void> {
    this.#isClosed = true
    const jobs = [...this.#held.values()].map(({ job }) => job)
    for (const job of jobs) job.stop()
    await Promise.all(jobs.map(ended))
  }
}
