/** A thread that parses, as its owner sees it: it answers, fails, or is ended for what it takes. */
import { Worker } from 'node:worker_threads'
import { ConfigurationError, timerMs } from '@memagent/core'
import type { FromThread, ToThread } from './messages.ts'

export type Ending =
  | { readonly type: 'out-of-memory' }
  | { readonly type: 'out-of-time' }
  | { readonly type: 'ended'; readonly message: string }

export interface ThreadLimits {
  /** Until an answer comes. */
  readonly seconds: number
  readonly megabytes: number
}

/** How often memory outside of the heap is looked at. */
const watchMs = 50
/** With 2 or less, V8 ends the whole process instead of the thread. */
const leastMegabytes = 8
/** Of the file, which a parser may hold besides. */
const copies = 3

export class ParserThread {
  readonly limits: ThreadLimits
  readonly #worker: Worker
  #settle: ((answer: FromThread | Ending) => void) | undefined
  #ending: Ending | undefined
  #fileMegabytes = 0

  /** @throws ConfigurationError for a limit that could not be kept */
  constructor(limits: ThreadLimits) {
    checkLimits(limits)
    this.limits = limits
    const isSource = import.meta.url.endsWith('.ts')
    this.#worker = new Worker(new URL(isSource ? './thread.ts' : './thread.js', import.meta.url), {
      name: 'memagent-parser',
      execArgv: isSource ? ['--conditions=@memagent/source'] : [],
      resourceLimits: { maxOldGenerationSizeMb: limits.megabytes },
      // What a library prints about a broken file is not for the terminal.
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

  /** Asks, and waits for the answer. An answer of type `ended` or `out-of-…` is the last. */
  async ask(message: ToThread, signal?: AbortSignal): Promise<FromThread | Ending> {
    signal?.throwIfAborted()
    if (this.#ending) return this.#ending
    if (message.type === 'parse') this.#fileMegabytes = (copies * message.file.byteLength) / 2 ** 20
    const abort = () => void this.end()
    signal?.addEventListener('abort', abort, { once: true })
    const timer = setTimeout(() => this.#stop({ type: 'out-of-time' }), timerMs(this.limits.seconds * 1000))
    const stopWatching = this.#watchMemory()
    // While it works, the process lives.
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

  /** Ends it, whatever it does. */
  async end(): Promise<void> {
    this.#end({ type: 'ended', message: 'it was stopped' })
    await this.#worker.terminate()
  }

  /** The heap has its own limit, which does not count the bytes that a library unpacks. */
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

/** Infinity seconds are without a limit; the memory has one. */
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
 * Bytes of a thread outside of its heap; undefined once it ended, and before Node 22.16, which cannot tell. What is
 * more than 2 GiB may come as a negative number.
 */
async function outsideHeap(worker: Worker): Promise<number | undefined> {
  try {
    const { external_memory: bytes } = await worker.getHeapStatistics()
    return bytes < 0 ? 2 ** 32 : bytes
  } catch {
    return undefined
  }
}
