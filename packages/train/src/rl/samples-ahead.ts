/**
 * Makes the next samples while others are being read: this thread is idle then, and readers would wait for it later. A sample
 * depends only on its request, so making it early changes nothing.
 */
import type { Sample, SampleRequest, Task } from '@memagent/tasks'

export class SamplesAhead {
  readonly #task: Task
  readonly #made = new Map<string, Promise<Sample>>()

  constructor(task: Task) {
    this.#task = task
  }

  /** @throws what the task throws */
  take(request: SampleRequest): Promise<Sample> {
    const key = keyOf(request)
    const made = this.#made.get(key) ?? this.#task.sample(request)
    this.#made.delete(key)
    return made
  }

  /** Makes these samples once the current requests have been sent. Drops earlier ones that were not taken. */
  prepare(requests: readonly SampleRequest[]): void {
    this.#made.clear()
    setTimeout(() => {
      for (const request of requests) {
        const sample = this.#task.sample(request)
        // The error is thrown when the sample is taken.
        sample.catch(() => undefined)
        this.#made.set(keyOf(request), sample)
      }
    }, delayMs).unref()
  }
}

const delayMs = 20

const keyOf = ({ seed, index, lengthTokens }: SampleRequest) => [seed, index, lengthTokens].join()
