/**
 * Writes checkpoints while the reading continues, one at a time; if several are pending, only the newest is written. Log entries
 * are written before the checkpoint that relies on them.
 */
import type { Checkpoint, CheckpointStore, LogEntry } from './checkpoint.ts'

export class CheckpointWriter {
  readonly #store: CheckpointStore | undefined
  #entries: LogEntry[] = []
  #next: Checkpoint | undefined
  #isWriting = false
  #writing: Promise<void> | undefined
  #failure: { readonly error: unknown } | undefined

  /** Without a store, nothing is written. */
  constructor(store: CheckpointStore | undefined) {
    this.#store = store
  }

  /** @throws the error of an earlier write */
  append(entry: LogEntry): void {
    this.#rethrow()
    this.#entries.push(entry)
    this.#start()
  }

  /** The checkpoint must not be changed afterwards. @throws the error of an earlier write */
  save(checkpoint: Checkpoint): void {
    this.#rethrow()
    this.#next = checkpoint
    this.#start()
  }

  /** Waits until everything is written. @throws the error of a write */
  async flush(): Promise<void> {
    await this.settle()
    this.#rethrow()
  }

  /** Waits until nothing is being written; for readings that have already failed. */
  async settle(): Promise<void> {
    while (this.#isWriting) await this.#writing
  }

  #start(): void {
    if (!this.#store) {
      this.#entries = []
      this.#next = undefined
      return
    }
    if (this.#isWriting) return
    this.#isWriting = true
    this.#writing = this.#write(this.#store)
  }

  async #write(store: CheckpointStore): Promise<void> {
    try {
      while (this.#entries.length > 0 || this.#next) {
        const [entries, next] = [this.#entries, this.#next]
        this.#entries = []
        this.#next = undefined
        if (entries.length > 0) await store.append(entries)
        if (next) await store.save(next)
      }
    } catch (error) {
      // Rethrown at the next call, so that the reading does not go on unsaved.
      this.#failure = { error }
    }
    // Set in the same turn as the last check for pending work, so that later work starts a new write.
    this.#isWriting = false
  }

  #rethrow(): void {
    if (this.#failure) throw this.#failure.error
  }
}
