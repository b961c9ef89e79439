/** A run that this server reads, or that waits for its turn. */
import { MemAgentError, type QuestionEvent, type ReadingEvent } from '@memagent/core'
import type { RunFailure, RunResult, RunWriter } from '@memagent/store'
import { failureOf } from '../failure.ts'
import type { Owner } from '../safety/keys.ts'
import { Pace } from './pace.ts'
import { cancelled, interrupted } from './run-settings.ts'
import type { Progress } from './run-view.ts'
import { Watched } from './watched.ts'

export interface JobReading {
  readonly sizeBytes: number | undefined
  /** How often the text is read: once for each question. */
  readonly times: number
  /** All of the text is read once, so its duration can be predicted. */
  readonly isPredictable: boolean
  readonly writer: RunWriter
  read(job: RunJob): Promise<RunResult>
}

export interface JobOptions {
  readonly id: string
  readonly owner: Owner
  readonly steps: number
  /** Waits for its turn to read. */
  readonly enter: (signal: AbortSignal) => { readonly turn: Promise<void>; leave(): void }
  /** Opens texts and run; undefined if another server has read it or is reading it, or if it was cancelled there. */
  readonly open: (job: RunJob) => Promise<JobReading | undefined>
  /** Stores the remarks on its texts. */
  readonly onRemarks: (remarks: readonly string[]) => Promise<void>
  /** Notes why it does not continue, if it was not begun. */
  readonly onUnread: (failure: RunFailure) => Promise<void>
  readonly onFailure: (error: unknown) => void
  /** Called when it is no longer read. */
  readonly onEnd: () => void
}

export class RunJob {
  readonly id: string
  readonly owner: Owner
  readonly changes = new Watched()
  /** Never rejects. */
  readonly ended: Promise<void>
  readonly #options: JobOptions
  readonly #controller = new AbortController()
  readonly #remarks: string[] = []
  #state: Progress['state'] = 'waiting'
  #steps: number
  #passes = 1
  #reading: JobReading | undefined
  #pace: Pace | undefined
  #stopped: RunFailure | undefined

  constructor(options: JobOptions) {
    this.id = options.id
    this.owner = options.owner
    this.#options = options
    this.#steps = options.steps
    const place = options.enter(this.#controller.signal)
    this.ended = this.#run(place).then(() => {
      options.onEnd()
      this.changes.change()
    })
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  get progress(): Progress {
    const { sizeBytes, times = 1 } = this.#reading ?? {}
    const pace = this.#pace
    return {
      state: this.#state,
      steps: this.#steps,
      bytes: pace && Math.round(pace.bytes / times),
      // Several passes read more than the size of the text.
      sizeBytes: this.#passes === 1 ? sizeBytes : undefined,
      chunksPerSecond: pace?.chunksPerSecond,
      secondsLeft: pace?.secondsLeft,
      ...(this.#remarks.length > 0 && { remarks: [...this.#remarks] }),
    }
  }

  /** Adds a remark on its texts, each once. */
  remark(message: string): void {
    if (!this.#remarks.includes(message)) this.#remarks.push(message)
  }

  /** Cancelled by its owner: it does not continue by itself. Idempotent. */
  async cancel(): Promise<void> {
    await this.#stop(cancelled)
  }

  /** Stopped with the server: it continues when a server is back. */
  async interrupt(): Promise<void> {
    await this.#stop(interrupted)
  }

  handle(event: ReadingEvent | QuestionEvent): void {
    if (event.type === 'reading-start') {
      const { sizeBytes, times, isPredictable } = this.#reading!
      this.#passes = event.passes ?? 1
      const all = isPredictable && sizeBytes !== undefined ? sizeBytes * times : undefined
      const before = (this.#pace?.bytes ?? 0) + event.usage.bytes
      this.#pace = new Pace(all, before, () => performance.now())
    }
    if (event.type === 'chunk-end') {
      if (event.fromCache && event.usage.promptTokens + event.usage.completionTokens === 0)
        this.#pace?.addCached(event.bytes)
      else this.#pace?.add(event.bytes)
    }
  }

  saved(steps: number): void {
    this.#steps = steps
    this.changes.change()
  }

  #stop(why: RunFailure): Promise<void> {
    this.#stopped ??= why
    this.#controller.abort(new Error(why.code))
    return this.ended
  }

  async #run({ turn, leave }: ReturnType<JobOptions['enter']>): Promise<void> {
    try {
      await turn
      await this.#read()
    } catch (error) {
      // Another server was faster.
      if (MemAgentError.isInstance(error) && error.code === 'store/run-in-use') return
      const failure = this.#stopped ?? told(error)
      // A file that cannot be read is the client's problem, and reported in the run.
      if (!this.#stopped && failureOf(error).status >= 500) this.#options.onFailure(error)
      await this.#note(failure).catch(this.#options.onFailure)
    } finally {
      leave()
    }
  }

  async #read(): Promise<void> {
    const reading = await this.#options.open(this)
    if (!reading) return
    this.#reading = reading
    this.signal.throwIfAborted()
    this.#state = 'running'
    this.changes.change()
    const result = await reading.read(this).finally(() => this.#keepRemarks())
    await reading.writer.finish(result)
  }

  async #keepRemarks(): Promise<void> {
    if (this.#remarks.length > 0) await this.#options.onRemarks(this.#remarks).catch(this.#options.onFailure)
  }

  /** Notes the failure in the run while this server holds it, otherwise beside it. */
  async #note(failure: RunFailure): Promise<void> {
    const { writer } = this.#reading ?? {}
    await writer?.stop(failure)
    if (writer?.id === undefined) await this.#options.onUnread(failure)
  }
}

/** Keeps the code of the cause, which clients know how to handle. */
function told(error: unknown): RunFailure {
  const { statement: message, hint } = failureOf(error)
  const code = MemAgentError.isInstance(error) ? error.code : 'unexpected'
  return { code, message, ...(hint !== undefined && { hint }) }
}
