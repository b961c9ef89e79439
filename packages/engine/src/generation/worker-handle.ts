/** A worker thread as its owner sees it, with its pending calls. */
import { Worker } from 'node:worker_threads'
import { EngineError } from '../errors.ts'
import type { Weights } from '../models/llama-config.ts'
import { watchNativeCalls } from '../onnx/native-calls.ts'
import type { GenerationRequest, GenerationResult } from './request.ts'
import type { ErrorParts, FromWorker, ToWorker, WorkerData } from './worker-messages.ts'

/** A request, and the resolver of its result. */
export interface Call {
  readonly request: GenerationRequest
  readonly signal: AbortSignal | undefined
  /** The worker it must go to, if any. */
  readonly worker: number | undefined
  readonly resolve: (result: GenerationResult) => void
  readonly reject: (reason: unknown) => void
}

interface Pending {
  readonly resolve: (result?: GenerationResult) => void
  readonly reject: (reason: unknown) => void
}

export class WorkerHandle {
  readonly ready: Promise<void>
  readonly #worker: Worker
  readonly #pending = new Map<number, Pending>()
  readonly #exit: Promise<void>
  #nextId = 0
  #failure: EngineError | undefined
  #isReleased = false

  constructor(data: Omit<WorkerData, 'calls'>) {
    const { calls, unwatch } = watchNativeCalls()
    const isSource = import.meta.url.endsWith('.ts')
    this.#worker = new Worker(
      new URL(isSource ? './generator-worker.ts' : './generator-worker.js', import.meta.url),
      {
        workerData: { ...data, calls },
        ...(isSource ? { execArgv: ['--conditions=@memagent/source'] } : {}),
      },
    )
    this.#exit = new Promise((done) => {
      this.#worker.once('exit', () => {
        unwatch()
        this.#fail(new EngineError({ code: 'engine/worker-ended', message: 'A worker thread has ended.' }))
        done()
      })
    })
    this.#worker.once('error', (cause) => {
      const message = `A worker thread failed: ${(cause as Error).message}`
      this.#fail(new EngineError({ code: 'engine/worker-failed', message, cause }))
    })
    this.ready = new Promise((resolve, reject) => {
      this.#worker.once('exit', () => reject(this.#failure))
      this.#worker.on('message', (message: FromWorker) => {
        if (message.type === 'ready') resolve()
        else if (message.type === 'failed') reject(errorOf(message.error))
        else if (message.type === 'result') this.#take(message.id)?.resolve(message.result)
        else if (message.type === 'loaded') this.#take(message.id)?.resolve()
        else this.#take(message.id)?.reject(errorOf(message.error))
      })
    })
    this.ready.then(
      () => this.#letProcessEnd(),
      () => undefined,
    )
  }

  /** Number of pending calls. */
  get pending(): number {
    return this.#pending.size
  }

  /** No call can be answered any more. */
  get hasFailed(): boolean {
    return this.#failure !== undefined
  }

  generate(calls: readonly Call[]): void {
    if (calls.length === 0) return
    const requests = calls.map(({ request, signal, resolve, reject }) => {
      const id = this.#nextId++
      const abort = () => {
        this.#send({ type: 'abort', id })
        this.#take(id)?.reject(signal!.reason)
      }
      const end = () => signal?.removeEventListener('abort', abort)
      signal?.addEventListener('abort', abort, { once: true })
      this.#expect(id, {
        resolve: (result) => {
          end()
          resolve(result!)
        },
        reject: (reason) => {
          end()
          reject(reason)
        },
      })
      return { id, request }
    })
    this.#send({ type: 'generate', requests })
  }

  /** Later calls use these weights; earlier calls keep the previous ones. */
  load(weights: Weights): Promise<void> {
    const id = this.#nextId++
    return new Promise((resolve, reject) => {
      this.#expect(id, { resolve: () => resolve(), reject })
      this.#send({ type: 'load', id, weights })
    })
  }

  async release(): Promise<void> {
    this.#isReleased = true
    this.#worker.ref()
    this.#send({ type: 'release' })
    await this.#exit
  }

  async terminate(): Promise<void> {
    await this.#worker.terminate()
  }

  #expect(id: number, pending: Pending): void {
    if (this.#failure) {
      pending.reject(this.#failure)
      return
    }
    this.#pending.set(id, pending)
    if (this.#pending.size === 1) this.#worker.ref()
  }

  #send(message: ToWorker): void {
    this.#worker.postMessage(message)
  }

  #take(id: number): Pending | undefined {
    const pending = this.#pending.get(id)
    this.#pending.delete(id)
    this.#letProcessEnd()
    return pending
  }

  /** An idle worker does not keep the process alive; one that is starting, working or shutting down does. */
  #letProcessEnd(): void {
    if (this.#pending.size === 0 && !this.#isReleased) this.#worker.unref()
  }

  #fail(failure: EngineError): void {
    this.#failure ??= failure
    for (const { reject } of this.#pending.values()) reject(this.#failure)
    this.#pending.clear()
  }
}

const errorOf = (parts: ErrorParts) => new EngineError(parts)
