/**
 * Samples, of which the next ones are made while others are read: this thread is idle then, and the readers would wait
 * for it later. A sample is a function of its request alone, so that nothing changes but when it is made.
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

  /** Makes these, once what is under way has been sent to the readers. Those of before that nobody took are dropped. */
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
