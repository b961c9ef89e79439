/**
 * Generators in worker threads. The runtime blocks the thread that calls it: no chunk is cut and no answer scored meanwhile.
 * Several workers with one thread each read several documents faster than one generator with several threads.
 */
import { EngineError } from '../errors.ts'
import { checkWeights, type LlamaConfig, type Weights } from '../models/llama-config.ts'
import { checkCount, checkGeneratorOptions } from './check-options.ts'
import type { GeneratorOptions } from './generator.ts'
import { checkRequest, type GenerationRequest, type GenerationResult } from './request.ts'
import { shareRequests } from './share-requests.ts'
import { inSharedMemory } from './shared-weights.ts'
import { type Call, WorkerHandle } from './worker-handle.ts'

export class GeneratorWorkers {
  readonly config: LlamaConfig
  readonly #workers: WorkerHandle[]
  readonly #waiting: Call[] = []
  /** What a worker is started with. */
  #data: ConstructorParameters<typeof WorkerHandle>[0]
  #isReleased = false

  private constructor(data: ConstructorParameters<typeof WorkerHandle>[0], workers: WorkerHandle[]) {
    this.config = data.config
    this.#data = data
    this.#workers = workers
  }

  /**
   * Copies the weights unless they are in shared memory; each worker has `options.threads` runtime threads.
   * @param workers at least 1
   * @throws EngineError when the weights do not fit the config, an option is invalid, or a worker does not start
   */
  static async create(
    config: LlamaConfig,
    weights: Weights,
    workers: number,
    options: GeneratorOptions = {},
  ): Promise<GeneratorWorkers> {
    checkWeights(config, weights)
    checkCount('workers', workers)
    checkGeneratorOptions(options)
    const data = { config, weights: inSharedMemory(weights), options }
    const handles = Array.from({ length: workers }, () => new WorkerHandle(data))
    const ready = handles.map((handle) => handle.ready)
    try {
      await Promise.all(ready)
    } catch (error) {
      // Terminated while it creates its sessions, a worker would abort the process.
      await Promise.allSettled(ready)
      await Promise.all(handles.map((handle) => handle.terminate()))
      throw error
    }
    return new GeneratorWorkers(data, handles)
  }

  /**
   * Like `Generator.generate`. Requests made without waiting for each other are distributed together, those with a common
   * prefix to one worker; while no worker has other requests, the choice does not depend on timing.
   * @param worker sends all requests to this worker
   * @throws EngineError for an invalid request, or when the runtime or a worker fails; an abort throws the signal's reason
   */
  async generate(
    requests: readonly GenerationRequest[],
    signal?: AbortSignal,
    worker?: number,
  ): Promise<GenerationResult[]> {
    signal?.throwIfAborted()
    this.#checkUsable()
    for (const request of requests) checkRequest(request, this.config)
    if (worker !== undefined && !this.#workers[worker]) {
      const message = `There is no worker ${worker}; there are ${this.#workers.length}.`
      throw new EngineError({ code: 'engine/request', message })
    }
    return Promise.all(
      requests.map(
        (request) =>
          new Promise<GenerationResult>((resolve, reject) => {
            if (this.#waiting.push({ request, signal, worker, resolve, reject }) === 1) {
              setImmediate(() => this.#share())
            }
          }),
      ),
    )
  }

  /**
   * Later calls use these weights as they are now; earlier calls keep the previous ones.
   * @throws EngineError when they do not fit the config, or a worker fails
   */
  async load(weights: Weights): Promise<void> {
    this.#checkUsable()
    checkWeights(this.config, weights)
    this.#share()
    const shared = inSharedMemory(weights)
    this.#data = { ...this.#data, weights: shared }
    await Promise.all(this.#workers.map((worker) => worker.load(shared)))
  }

  /** Waits for running calls. Idempotent. */
  async release(): Promise<void> {
    this.#isReleased = true
    this.#share()
    await Promise.all(this.#workers.map((worker) => worker.release()))
  }

  #share(): void {
    const calls = this.#waiting.splice(0).filter(({ signal, reject }) => {
      if (signal?.aborted) reject(signal.reason)
      return !signal?.aborted
    })
    // One that ran out of memory took its calls along; those to come get another.
    if (calls.length > 0) {
      for (const [i, { hasFailed }] of this.#workers.entries()) {
        if (hasFailed) this.#workers[i] = new WorkerHandle(this.#data)
      }
    }
    const own = this.#workers.map((_, i) => calls.filter(({ worker }) => worker === i))
    const free = calls.filter(({ worker }) => worker === undefined)
    const shares = shareRequests(
      free.map((call) => ({ call, promptTokens: call.request.promptTokens })),
      this.#workers.map(({ pending }, i) => pending + own[i]!.length),
    )
    for (const [i, worker] of this.#workers.entries()) {
      worker.generate([...own[i]!, ...shares[i]!.map(({ call }) => call)])
    }
  }

  #checkUsable(): void {
    if (!this.#isReleased) return
    throw new EngineError({ code: 'engine/released', message: 'The generator has been released.' })
  }
}
