/** Follows a run: delivers each step once, despite lost connections, server restarts and times when the tab is hidden. */
import { type EventSourceMessage, EventSourceParserStream } from 'eventsource-parser/stream'
import { ApiFailure, ask } from './client.ts'
import { inStreamPlace } from './stream-place.ts'
import type { Run, StepEvent } from './types.ts'

export interface Follower {
  onStep(step: StepEvent): void
  onRun(run: Run): void
  onEnd(run: Run): void
  /** Whether the server is heard; a hidden tab does not listen. */
  onConnection(isConnected: boolean): void
}

/** Without a place for a stream: how long to listen, and then to leave the connection to others. Milliseconds. */
const [briefly, between] = [1500, 2500]
const [firstPause, longestPause] = [500, 8000]

/** @returns when the run has ended or the signal aborts @throws ApiFailure if the server refuses */
export async function followRun(id: string, follower: Follower, signal: AbortSignal): Promise<void> {
  const following = new Following(id, follower)
  let pause = firstPause
  while (!signal.aborted && !following.hasEnded) {
    await untilVisible(signal)
    try {
      if (!(await inStreamPlace(() => whileVisible(signal, (both) => following.listen(both))))) {
        await following.listen(AbortSignal.any([signal, AbortSignal.timeout(briefly)]))
        if (!following.hasEnded) await wait(between, signal)
      }
      pause = firstPause
    } catch (error) {
      if (signal.aborted) return
      if (isFinal(error)) throw error
      if (error instanceof ApiFailure && error.retryAfterMs !== undefined)
        await wait(error.retryAfterMs, signal)
      follower.onConnection(false)
    }
    if (following.hasEnded || signal.aborted || document.hidden) continue
    // The server closed the stream, or is not there.
    await wait(pause, signal)
    pause = Math.min(2 * pause, longestPause)
  }
}

/**
 * Repeats a request until the server answers.
 * @param onConnection told whether it did
 * @throws ApiFailure if the server refuses, or fails as it would again; the signal's reason
 */
export async function untilHeard<Reply>(
  request: () => Promise<Reply>,
  onConnection: Follower['onConnection'],
  signal: AbortSignal,
): Promise<Reply> {
  for (let pause = firstPause; ; pause = Math.min(2 * pause, longestPause)) {
    try {
      const reply = await request()
      onConnection(true)
      return reply
    } catch (error) {
      signal.throwIfAborted()
      const failure = error instanceof ApiFailure ? error : undefined
      if (isFinal(error) || failure?.status === 500) throw error
      onConnection(false)
      await wait(failure?.retryAfterMs ?? pause, signal)
      signal.throwIfAborted()
    }
  }
}

/** A client that asks too often (429) may try again. */
const isFinal = (error: unknown): boolean =>
  error instanceof ApiFailure && error.status >= 400 && error.status < 500 && error.status !== 429

class Following {
  readonly #path: string
  readonly #follower: Follower
  #lastId = ''
  hasEnded = false

  constructor(id: string, follower: Follower) {
    this.#path = `api/runs/${encodeURIComponent(id)}/events`
    this.#follower = follower
  }

  /** Listens until the stream ends or the signal aborts, which is no failure. */
  async listen(signal: AbortSignal): Promise<void> {
    try {
      const headers = {
        accept: 'text/event-stream',
        ...(this.#lastId && { 'last-event-id': this.#lastId }),
      }
      const { body } = await ask(this.#path, { signal, headers })
      this.#follower.onConnection(true)
      const events = body!.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream())
      const reader = events.getReader()
      for (let next = await reader.read(); !next.done; next = await reader.read()) this.#take(next.value)
    } catch (error) {
      if (!signal.aborted) throw error
    }
  }

  #take({ event, id, data }: EventSourceMessage): void {
    if (id) this.#lastId = id
    if (event === 'step') this.#follower.onStep(JSON.parse(data))
    else if (event === 'state') this.#follower.onRun(JSON.parse(data))
    else if (event === 'end') {
      this.hasEnded = true
      this.#follower.onEnd(JSON.parse(data))
    }
  }
}

/** @param work aborted with the given signal, or when the tab is hidden */
async function whileVisible(
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const hiding = new AbortController()
  const look = () => document.hidden && hiding.abort()
  document.addEventListener('visibilitychange', look)
  try {
    await work(AbortSignal.any([signal, hiding.signal]))
  } finally {
    document.removeEventListener('visibilitychange', look)
  }
}

function untilVisible(signal: AbortSignal): Promise<void> {
  if (!document.hidden || signal.aborted) return Promise.resolve()
  return new Promise((resolve) => {
    const look = () => {
      if (document.hidden && !signal.aborted) return
      document.removeEventListener('visibilitychange', look)
      resolve()
    }
    document.addEventListener('visibilitychange', look)
    signal.addEventListener('abort', look)
  })
}

const wait = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener(
      'abort',
      () => {
        clearTimeout(timer)
        resolve()
      },
      { once: true },
    )
  })
