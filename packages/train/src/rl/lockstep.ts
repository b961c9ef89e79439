/**
 * Rollouts in step: every request waits until all rollouts that are still reading have made one; then all are sampled
 * together, in the order of the rollouts. Batches are full and do not depend on timing, so a run is exactly reproducible.
 * For an engine on this machine; with a cluster, concurrent requests are faster.
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

  /** @param rollouts their indices; each must call `end` after its last request */
  constructor(sample: Sample, rollouts: Iterable<number>) {
    this.#sample = sample
    this.#active = new Set(rollouts)
  }

  /** The policy that one rollout samples from, one conversation at a time. */
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

  #run(): void {
    const rollouts = new Set(this.#waiting.map(({ rollout }) => rollout))
    if (this.#waiting.length === 0 || [...this.#active].some((rollout) => !rollouts.has(rollout))) return
    const batch = this.#waiting.splice(0).sort((a, b) => a.rollout - b.rollout)
    // Answered readings continue while others are still sampled; their next requests wait for those.
    for (const { request, signal, resolve, reject } of batch) {
      this.#sample(request, signal).then(resolve, reject)
    }
  }
}
