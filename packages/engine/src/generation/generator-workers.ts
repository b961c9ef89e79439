/**
 * Generators in threads of their own. The runtime computes in the thread that calls it, so that in the caller's thread
 * nothing else happens meanwhile: no chunk is cut, no answer scored. With several workers of one thread each, several
 * documents are read faster than with one generator of several threads.
 */
import { Worker } from 'node:worker_threads'
import { EngineError } from '../errors.ts'
import { checkWeights, type LlamaConfig, type Weights } from '../models/llama-config.ts'
import type { GeneratorOptions } from './generator.ts'
import { checkRequest, type GenerationRequest, type GenerationResult } from './request.ts'
import type { ErrorParts, FromWorker, ToWorker, WorkerData } from './worker-messages.ts'

interface Call {
  readonly resolve: (result: GenerationResult) => void
  readonly reject: (reason: unknown) => void
}

export class GeneratorWorkers {
  readonly config: LlamaConfig
  readonly #members: readonly Member[]
  #isReleased = false

  private constructor(config: LlamaConfig, members: readonly Member[]) {
    this.config = config
    this.#members = members
  }

  /**
   * Each worker has a copy of the weights, and `options.threads` threads of the runtime.
   * @param workers at least 1
   * @throws EngineError when the weights do not fit the config, or a worker does not start
   */
  static async create(
    config: LlamaConfig,
    weights: Weights,
    workers: number,
    options: GeneratorOptions = {},
  ): Promise<GeneratorWorkers> {
    checkWeights(config, weights)
    const members = Array.from({ length: workers }, () => new Member({ config, weights, options }))
    try {
      await Promise.all(members.map(({ ready }) => ready))
    } catch (error) {
      await Promise.all(members.map((member) => member.terminate()))
      throw error
    }
    return new GeneratorWorkers(config, members)
  }

  /**
   * As `Generator.generate`; each request goes to the worker with the fewest.
   * @throws EngineError for a wrong request, or when the runtime or a worker fails; an abort throws the signal's reason
   */
  async generate(requests: readonly GenerationRequest[], signal?: AbortSignal): Promise<GenerationResult[]> {
    signal?.throwIfAborted()
    if (this.#isReleased) {
      throw new EngineError({ code: 'engine/released', message: 'The generator has been released.' })
    }
    for (const request of requests) checkRequest(request, this.config)
    return Promise.all(
      requests.map((request) => {
        const idlest = this.#members.reduce((best, member) => (member.calls < best.calls ? member : best))
        return idlest.generate(request, signal)
      }),
    )
  }

  /** Waits for what is running. Idempotent. */
  async release(): Promise<void> {
    this.#isReleased = true
    await Promise.all(this.#members.map((member) => member.release()))
  }
}

/** One worker, and the calls it has not answered. */
class Member {
  readonly ready: Promise<void>
  readonly #worker: Worker
  readonly #calls = new Map<number, Call>()
  readonly #exit: Promise<void>
  #nextId = 0
  #failure: EngineError | undefined

  constructor(data: WorkerData) {
    const isSource = import.meta.url.endsWith('.ts')
    this.#worker = new Worker(
      new URL(isSource ? './generator-worker.ts' : './generator-worker.js', import.meta.url),
      { workerData: data, ...(isSource ? { execArgv: ['--conditions=@memagent/source'] } : {}) },
    )
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    this.ready = promise
    this.#exit = new Promise((done) => {
      this.#worker.once('exit', () => {
        this.#fail(new EngineError({ code: 'engine/worker-ended', message: 'A worker thread has ended.' }))
        reject(this.#failure)
        done()
      })
    })
    this.#worker.once('error', (cause) => {
      const message = `A worker thread failed: ${(cause as Error).message}`
      this.#fail(new EngineError({ code: 'engine/worker-failed', message, cause }))
    })
    this.#worker.on('message', (message: FromWorker) => {
      if (message.type === 'ready') resolve()
      else if (message.type === 'failed') reject(errorOf(message.error))
      else if (message.type === 'result') this.#take(message.id)?.resolve(message.result)
      else this.#take(message.id)?.reject(errorOf(message.error))
    })
    // An idle worker does not keep the process alive; one that starts or works does.
    promise.then(
      () => this.#worker.unref(),
      () => undefined,
    )
  }

  get calls(): number {
    return this.#calls.size
  }

  generate(request: GenerationRequest, signal: AbortSignal | undefined): Promise<GenerationResult> {
    if (this.#failure) return Promise.reject(this.#failure)
    const id = this.#nextId++
    const { promise, resolve, reject } = Promise.withResolvers<GenerationResult>()
    const abort = () => {
      this.#send({ type: 'abort', id })
      this.#take(id)?.reject(signal!.reason)
    }
    this.#calls.set(id, { resolve, reject })
    if (this.#calls.size === 1) this.#worker.ref()
    signal?.addEventListener('abort', abort, { once: true })
    this.#send({ type: 'generate', id, request })
    return promise.finally(() => signal?.removeEventListener('abort', abort))
  }

  async release(): Promise<void> {
    this.#worker.ref()
    this.#send({ type: 'release' })
    await this.#exit
  }

  async terminate(): Promise<void> {
    await this.#worker.terminate()
  }

  #send(message: ToWorker): void {
    this.#worker.postMessage(message)
  }

  #take(id: number): Call | undefined {
    const call = this.#calls.get(id)
    this.#calls.delete(id)
    if (this.#calls.size === 0) this.#worker.unref()
    return call
  }

  #fail(failure: EngineError): void {
    this.#failure ??= failure
    for (const { reject } of this.#calls.values()) reject(this.#failure)
    this.#calls.clear()
  }
}

const errorOf = (parts: ErrorParts) => new EngineError(parts)
