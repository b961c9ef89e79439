/**
 * Keeps rollouts in step: every request waits until all rollouts that are still reading have made theirs; then all are
 * sampled together, in the order of the rollouts. A rollout may make several at once, if its workflow reads chunks at the
 * same time. Batches are full and do not depend on timing, so a run is exactly reproducible. For an engine on this machine;
 * with a cluster, concurrent requests are faster.
 */
import type { FrozenPolicy, SampledResponse, SampleRequest } from '../policy/policy.ts'

type Sample = FrozenPolicy['sample']

interface Waiting {
  readonly rollout: number
  readonly request: SampleRequest
  readonly signal: AbortSignal | undefined
  readonly resolve: (response: SampledResponse) => void
  readonly reject: (reason: unknown) => void
}

export class Lockstep {
  readonly #sample: Sample
  readonly #waiting: Waiting[] = []
  readonly #active: Set<number>
  /** Requests being sampled. */
  #sampling = 0
  #isDue = false

  /** @param rollouts their indices; each must call `end` after its last request */
  constructor(sample: Sample, rollouts: Iterable<number>) {
    this.#sample = sample
    this.#active = new Set(rollouts)
  }

  /** The policy that one rollout samples from. */
  of(rollout: number): { readonly sample: Sample } {
    return {
      sample: (request, signal) =>
        new Promise((resolve, reject) => {
          this.#waiting.push({ rollout, request, signal, resolve, reject })
          this.#run()
        }),
    }
  }

  end(rollout: number): void {
    this.#active.delete(rollout)
    this.#run()
  }

  /** Waits for the next turn of the event loop, since requests made together arrive one by one. */
  #run(): void {
    if (this.#isDue || !this.#isComplete) return
    this.#isDue = true
    setImmediate(() => {
      this.#isDue = false
      if (this.#isComplete) this.#sampleAll()
    })
  }

  /** Incomplete while a response is still being sampled: its rollout may make further requests. */
  get #isComplete(): boolean {
    const rollouts = new Set(this.#waiting.map(({ rollout }) => rollout))
    return rollouts.size > 0 && this.#sampling === 0 && [...this.#active].every((one) => rollouts.has(one))
  }

  #sampleAll(): void {
    const batch = this.#waiting.splice(0).sort((a, b) => a.rollout - b.rollout)
    this.#sampling = batch.length
    const end = () => {
      this.#sampling--
      this.#run()
    }
    // Answered readings continue while others are still being sampled; their next requests wait.
    for (const { request, signal, resolve, reject } of batch) {
      const response = this.#sample(request, signal)
      response.then(resolve, reject)
      response.then(end, end)
    }
  }
}
