/** A reading for a client in this process. It stops like an interrupted one, so that it can be resumed. */
import type { ReadingEvent } from '@memagent/core'
import type { Fields } from '@memagent/server'
import { Interruption } from '../failures.ts'

/** @param onEvent told of every event @throws what ended it early; after the signal, an Interruption */
export type Work = (signal: AbortSignal, onEvent: (event: object) => void) => Promise<Fields>

export interface JobProgress {
  readonly steps: number
  readonly bytes: number
  /** Undefined if unknown. */
  readonly sizeBytes: number | undefined
}

export class Job {
  readonly key: string
  /** Undefined until the reading begins, and if no run is stored. */
  run: string | undefined
  progress: JobProgress = { steps: 0, bytes: 0, sizeBytes: undefined }
  readonly ended: Promise<Fields>
  readonly #interruption = new AbortController()
  readonly #onChange = new Set<() => void>()

  /** @param key equal work has the same @param turn awaited before the work starts */
  constructor(key: string, work: Work, turn: Promise<void>) {
    this.key = key
    const { signal } = this.#interruption
    this.ended = turn.then(() => {
      signal.throwIfAborted()
      return work(signal, (event) => this.#handle(event as ToldEvent))
    })
    // Reported to those who wait, if anybody does.
    this.ended.catch(() => undefined)
  }

  get isStopped(): boolean {
    return this.#interruption.signal.aborted
  }

  /** @param onChange told of progress @returns stops watching */
  watch(onChange: () => void): () => void {
    this.#onChange.add(onChange)
    return () => this.#onChange.delete(onChange)
  }

  /** Like Ctrl-C. */
  stop(): void {
    this.#interruption.abort(new Interruption('interrupted'))
  }

  #handle(event: ToldEvent): void {
    const { steps, bytes } = this.progress
    if (event.type === 'reading-start') {
      this.run = event.run
      this.progress = { steps: event.resumedSteps, bytes: event.usage.bytes, sizeBytes: event.sizeBytes }
    } else if (event.type === 'chunk-end') {
      this.progress = { ...this.progress, steps: steps + 1, bytes: bytes + event.bytes }
    } else return
    for (const tell of this.#onChange) tell()
  }
}

type ToldEvent = ReadingEvent & { readonly run?: string }
