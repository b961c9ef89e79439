/** A parser thread, as its owner sees it: it answers, fails, or is ended for exceeding a limit. */
import { Worker } from 'node:worker_threads'
import { ConfigurationError, timerMs } from '@memagent/core'
import type { FromThread, ToThread } from './messages.ts'

export type Ending =
  | { readonly type: 'out-of-memory' }
  | { readonly type: 'out-of-time' }
  | { readonly type: 'ended'; readonly message: string }

export interface ThreadLimits {
  /** To wait for an answer. */
  readonly seconds: number
  readonly megabytes: number
}

/** How often memory outside the heap is checked. */
const watchMs = 50
/** With 2 or less, V8 ends the whole process instead of the thread. */
const leastMegabytes = 8
/** Copies of the file that a parser may hold in addition. */
const copies = 3

export class ParserThread {
  readonly limits: ThreadLimits
  readonly #worker: Worker
  #settle: ((answer: FromThread | Ending) => void) | undefined
  #ending: Ending | undefined
  #fileMegabytes = 0

  /** @throws ConfigurationError for a limit that cannot be enforced */
  constructor(limits: ThreadLimits) {
    checkLimits(limits)
    this.limits = limits
    const isSource = import.meta.url.endsWith('.ts')
    this.#worker = new Worker(new URL(isSource ? './thread.ts' : './thread.js', import.meta.url), {
      name: 'memagent-parser',
      execArgv: isSource ? ['--conditions=@memagent/source'] : [],
      resourceLimits: { maxOldGenerationSizeMb: limits.megabytes },
      // Keeps what a library prints about a broken file off the terminal.
      stdout: true,
      stderr: true,
    })
    this.#worker.stdout.resume()
    this.#worker.stderr.resume()
    this.#worker.on('message', (answer: FromThread) => this.#answer(answer))
    this.#worker.on('error', (cause: NodeJS.ErrnoException) => {
      const isMemory = cause.code === 'ERR_WORKER_OUT_OF_MEMORY'
      this.#end(isMemory ? { type: 'out-of-memory' } : { type: 'ended', message: cause.message })
    })
    this.#worker.on('exit', () => this.#end({ type: 'ended', message: 'its parser ended' }))
    this.#worker.unref()
  }

  get isAlive(): boolean {
    return this.#ending === undefined
  }

  /** Sends a message and waits for the answer. An answer of type `ended` or `out-of-…` is the last. */
  async ask(message: ToThread, signal?: AbortSignal): Promise<FromThread | Ending> {
    signal?.throwIfAborted()
    if (this.#ending) return this.#ending
    if (message.type === 'parse') this.#fileMegabytes = (copies * message.file.byteLength) / 2 ** 20
    const abort = () => void this.end()
    signal?.addEventListener('abort', abort, { once: true })
    const timer = setTimeout(() => this.#stop({ type: 'out-of-time' }), timerMs(this.limits.seconds * 1000))
    const stopWatching = this.#watchMemory()
    // Keeps the process alive while the thread works.
    this.#worker.ref()
    try {
      const answer = await new Promise<FromThread | Ending>((resolve) => {
        this.#settle = resolve
        const transfer = message.type === 'parse' ? [message.file.buffer as ArrayBuffer] : []
        this.#worker.postMessage(message, transfer)
      })
      signal?.throwIfAborted()
      return answer
    } finally {
      clearTimeout(timer)
      stopWatching()
      signal?.removeEventListener('abort', abort)
      this.#worker.unref()
    }
  }

  /** Ends the thread, whatever it is doing. */
  async end(): Promise<void> {
    this.#end({ type: 'ended', message: 'it was stopped' })
    await this.#worker.terminate()
  }

  /** Watches memory outside the heap, whose own limit does not count the bytes that a library unpacks. */
  #watchMemory(): () => void {
    const before = process.memoryUsage.rss()
    const timer = setInterval(async () => {
      const used = (await outsideHeap(this.#worker)) ?? process.memoryUsage.rss() - before
      if (used > (this.limits.megabytes + this.#fileMegabytes) * 2 ** 20)
        this.#stop({ type: 'out-of-memory' })
    }, watchMs)
    return () => clearInterval(timer)
  }

  #stop(ending: Ending): void {
    this.#end(ending)
    void this.#worker.terminate()
  }

  #end(ending: Ending): void {
    this.#ending ??= ending
    this.#answer(this.#ending)
  }

  #answer(answer: FromThread | Ending): void {
    this.#settle?.(answer)
    this.#settle = undefined
  }
}

/** Infinite seconds mean no limit; memory must have one. */
function checkLimits({ seconds, megabytes }: ThreadLimits): void {
  const isInTime = seconds > 0
  if (isInTime && megabytes >= leastMegabytes && megabytes < Number.POSITIVE_INFINITY) return
  const [name, value] = isInTime ? ['parseMegabytes', megabytes] : ['parseSeconds', seconds]
  throw new ConfigurationError({
    code: 'document/bad-limit',
    message: `The limit ${name} is ${value}: parseSeconds takes a number above 0, parseMegabytes one of at least ${leastMegabytes}.`,
    details: { name, value },
  })
}

/**
 * Bytes of a thread outside its heap; undefined once it ended, and before Node 22.16, which cannot tell. More than 2 GiB may
 * come as a negative number.
 */
async function outsideHeap(worker: Worker): Promise<number | undefined> {
  try {
    const { external_memory: bytes } = await worker.getHeapStatistics()
    return bytes < 0 ? 2 ** 32 : bytes
  } catch {
    return undefined
  }
}
