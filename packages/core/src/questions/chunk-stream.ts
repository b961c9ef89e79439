/** Cuts a text once for all its followers. Holds the chunks between the slowest and the fastest. */
import type { TextRemark } from '../documents/require-text.ts'
import type { CutChunk, CutRequest } from '../reading/chunk-source.ts'
import { prefetch } from '../reading/prefetch.ts'

const most = 64

export interface Follower {
  readonly reading: number
  readonly stream: ChunkStream
  /** Ordinal of the chunk it takes next. */
  next: number
}

export class ChunkStream {
  /** Remarks made after the last chunk was cut. */
  endRemarks: readonly TextRemark[] = []
  readonly #chunkTokens: number
  readonly #mayDrop: boolean
  readonly #source: AsyncGenerator<CutChunk>
  readonly #followers = new Set<Follower>()
  /** Position where the first of `#held` begins. */
  #start: CutRequest['from']
  #held: CutChunk[] = []
  #isEnd = false
  #failure: { readonly error: unknown } | undefined
  #pulling: Promise<void> | undefined
  #wake: (() => void)[] = []

  /** @param mayDrop chunks that the slowest follower has not taken yet */
  constructor({ from, chunkTokens, open }: CutRequest, signal: AbortSignal, mayDrop: boolean) {
    this.#start = from
    this.#chunkTokens = chunkTokens
    this.#mayDrop = mayDrop
    const onEnd = (remarks: readonly TextRemark[]) => {
      this.endRemarks = remarks
    }
    this.#source = prefetch(open(from, onEnd, signal), signal)
  }

  get isUnused(): boolean {
    return this.#followers.size === 0
  }

  /** Undefined if the requested chunks are no longer held, or are cut differently. */
  join(reading: number, { from, chunkTokens }: CutRequest): Follower | undefined {
    const { ordinal, characters, textHash } = this.#start
    if (chunkTokens !== this.#chunkTokens || this.#failure || from.ordinal < ordinal) return undefined
    const isHere = from.characters === characters && from.textHash === textHash
    if (from.ordinal === ordinal && !isHere) return undefined
    // Starts at the chunk before, to check that it ends where the request begins.
    const next = from.ordinal === ordinal ? ordinal : from.ordinal - 1
    const follower = { reading, stream: this, next }
    this.#followers.add(follower)
    return follower
  }

  remove(follower: Follower): void {
    if (!this.#followers.delete(follower)) return
    this.moved()
    if (this.isUnused) void this.#source.return(undefined).catch(() => undefined)
  }

  removeReading(reading: number): void {
    for (const follower of this.#followers) if (follower.reading === reading) this.remove(follower)
  }

  /**
   * The follower's next chunk; `gone` if that was dropped. Waits for followers that are far behind. @throws what cutting throws
   */
  async at(follower: Follower): Promise<CutChunk | 'end' | 'gone'> {
    for (;;) {
      const index = follower.next - this.#start.ordinal
      if (index < 0 || !this.#followers.has(follower)) return 'gone'
      const cut = this.#held[index]
      if (cut) return cut
      if (this.#failure) throw this.#failure.error
      if (this.#isEnd) return 'end'
      // The one that was behind may have ended before these were cut.
      if (this.#held.length >= most) this.#dropPassed()
      if (this.#held.length >= most && this.#mayDrop) this.#dropFirst()
      if (this.#held.length < most) await this.#pull()
      else await new Promise<void>((resolve) => this.#wake.push(resolve))
    }
  }

  /** Call when a follower has moved on or left. */
  moved(): void {
    this.#dropPassed()
    for (const wake of this.#wake.splice(0)) wake()
  }

  #dropPassed(): void {
    const slowest = Math.min(...[...this.#followers].map(({ next }) => next))
    while (this.#held.length > 0 && this.#start.ordinal < slowest) this.#dropFirst()
  }

  #dropFirst(): void {
    this.#start = this.#held.shift()!.position
  }

  #pull(): Promise<void> {
    this.#pulling ??= this.#next().finally(() => {
      this.#pulling = undefined
    })
    return this.#pulling
  }

  async #next(): Promise<void> {
    try {
      const { value, done } = await this.#source.next()
      if (done) this.#isEnd = true
      else this.#held.push(value)
    } catch (error) {
      this.#failure = { error }
    }
  }
}
