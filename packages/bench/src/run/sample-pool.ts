/** Makes each sample once for all methods that use it, and drops it afterwards. */
import type { Sample } from '@memagent/tasks'
import type { Job } from './plan.ts'

export class SamplePool {
  readonly #make: (job: Job) => Promise<Sample>
  readonly #samples = new Map<string, { made?: Promise<Sample>; users: number }>()

  constructor(jobs: readonly Job[], make: (job: Job) => Promise<Sample>) {
    this.#make = make
    for (const job of jobs) {
      const entry = this.#samples.get(nameOf(job))
      if (entry) entry.users++
      else this.#samples.set(nameOf(job), { users: 1 })
    }
  }

  /** The sample of one of the jobs. @throws what the task throws */
  sample(job: Job): Promise<Sample> {
    const entry = this.#samples.get(nameOf(job))!
    entry.made ??= this.#make(job)
    return entry.made
  }

  /** The job is done. */
  release(job: Job): void {
    const entry = this.#samples.get(nameOf(job))!
    if (--entry.users === 0) this.#samples.delete(nameOf(job))
  }
}

const nameOf = ({ task, lengthTokens, index }: Job) => `${task.name}/${lengthTokens}/${index}`
