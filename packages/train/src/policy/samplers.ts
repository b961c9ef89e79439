/**
 * Samplers for the weights of snapshots. With several threads these are workers, each with one thread and its own share of
 * the rollouts: twice as fast as one generator with two threads. Starting a worker takes longer than a snapshot lives, so
 * the same workers serve one snapshot after another.
 */
import {
  type GenerationRequest,
  type GenerationResult,
  GeneratorWorkers,
  type LlamaConfig,
  TextGenerator,
  type Weights,
} from '@memagent/engine'

export interface Sampler {
  /** @param lane selects the thread; the least busy one if undefined */
  generate(
    requests: readonly GenerationRequest[],
    options?: { readonly signal?: AbortSignal | undefined; readonly lane?: number | undefined },
  ): Promise<GenerationResult[]>
  /** Waits for running requests. */
  close(): Promise<void>
}

export class Samplers {
  readonly #config: LlamaConfig
  readonly #threads: number
  readonly #maxBatch: number
  readonly #idle: GeneratorWorkers[] = []

  /** @param maxBatch maximum number of sequences generated at the same time, over all threads */
  constructor(config: LlamaConfig, options: { readonly threads: number; readonly maxBatch: number }) {
    this.#config = config
    this.#threads = options.threads
    this.#maxBatch = options.maxBatch
  }

  /** @throws EngineError when the weights do not fit the config, or a worker does not start */
  async open(weights: Weights): Promise<Sampler> {
    if (this.#threads === 1) {
      const generator = await TextGenerator.create(this.#config, weights, {
        threads: 1,
        maxBatch: this.#maxBatch,
      })
      return {
        generate: (requests, options) => generator.generate(requests, options?.signal),
        close: () => generator.release(),
      }
    }
    const workers = await this.#take(weights)
    const running = new Set<Promise<unknown>>()
    return {
      generate(requests, options) {
        const results = workers.generate(requests, options?.signal, options?.lane)
        running.add(results)
        const end = () => running.delete(results)
        results.then(end, end)
        return results
      },
      close: async () => {
        await Promise.allSettled(running)
        this.#idle.push(workers)
      },
    }
  }

  /** Close open samplers first. */
  async release(): Promise<void> {
    await Promise.all(this.#idle.splice(0).map((workers) => workers.release()))
  }

  async #take(weights: Weights): Promise<GeneratorWorkers> {
    const idle = this.#idle.pop()
    if (!idle) {
      const maxBatch = Math.ceil(this.#maxBatch / this.#threads)
      return GeneratorWorkers.create(this.#config, weights, this.#threads, { threads: 1, maxBatch })
    }
    await idle.load(weights)
    return idle
  }
}
