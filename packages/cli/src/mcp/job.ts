/** A reading for a client in this process, which ends softly, so that it can go on later. */
import type { ReadingEvent } from '@memagent/core'
import type { Fields } from '@memagent/server'
import { Interruption } from '../failures.ts'

/** @param onEvent told of every event @throws what kept it from its end; after the signal, an Interruption */
export type Work = (signal: AbortSignal, onEvent: (event: object) => void) => Promise<Fields>

export interface JobProgress {
  readonly chunks: number
  readonly bytes: number
  /** Undefined: it is not known. */
  readonly totalBytes: number | undefined
}

export class Job {
  /** Undefined until the reading begins, and where none is kept. */
  run: string | undefined
  progress: JobProgress = { chunks: 0, bytes: 0, totalBytes: undefined }
  readonly ended: Promise<Fields>
  readonly #interruption = new AbortController()
  readonly #onChange = new Set<() => void>()

  /** @param turn waited for before it starts */
  constructor(work: Work, turn: Promise<void>) {
    const { signal } = this.#interruption
    this.ended = turn.then(() => {
      signal.throwIfAborted()
      return work(signal, (event) => this.#handle(event as ToldEvent))
    })
    // Told to who waits, if anybody does.
    this.ended.catch(() => undefined)
  }

  get isStopped(): boolean {
    return this.#interruption.signal.aborted
  }

  /** Told of progress. @returns ends it */
  watch(onChange: () => void): () => void {
    this.#onChange.add(onChange)
    return () => this.#onChange.delete(onChange)
  }

  /** As Ctrl-C does. */
  stop(): void {
    this.#interruption.abort(new Interruption('interrupted'))
  }

  #handle(event: ToldEvent): void {
    const { chunks, bytes } = this.progress
    if (event.type === 'reading-start') {
      this.run = event.run
      this.progress = { chunks: event.resumedSteps, bytes: event.usage.bytes, totalBytes: event.sizeBytes }
    } else if (event.type === 'chunk-end') {
      this.progress = { ...this.progress, chunks: chunks + 1, bytes: bytes + event.bytes }
    } else return
    for (const tell of this.#onChange) tell()
  }
}

type ToldEvent = ReadingEvent & { readonly run?: string }
