/**
 * The chunks of one text for several readings side by side: the text is opened and cut once, and every reading gets every chunk.
 * A reading that is ahead waits for the others, so that few chunks are held.
 */
import type { CutChunk, CutRequest, CutTogether } from '../reading/chunk-source.ts'
import { ChunkStream, type Follower } from './chunk-stream.ts'

export interface SharedChunksOptions {
  readonly readings: number
  /** Readings go back in the text: one that falls far behind opens the text itself, and the others do not wait for it. */
  readonly goBack: boolean
  /** Aborts all cutting. */
  readonly signal: AbortSignal
}

interface Waiting {
  readonly reading: number
  readonly request: CutRequest
  readonly enter: (follower: Follower) => void
}

export class SharedChunks {
  readonly #options: SharedChunksOptions
  /** Readings that have not opened the text yet; nothing is cut before they have. */
  readonly #expected: Set<number>
  #waiting: Waiting[] = []
  readonly #streams = new Set<ChunkStream>()
  readonly #verified = new Map<string, Promise<void>>()

  constructor(options: SharedChunksOptions) {
    this.#options = options
    this.#expected = new Set(Array.from({ length: options.readings }, (_, reading) => reading))
  }

  /** The view of one reading. */
  of(reading: number): CutTogether {
    return {
      cut: (request) => this.#cut(reading, request),
      verify: (position, work) => {
        const key = JSON.stringify(position)
        const verified = this.#verified.get(key) ?? work()
        this.#verified.set(key, verified)
        return verified
      },
    }
  }

  /** Call when a reading has ended, so that nobody waits for it. */
  leave(reading: number): void {
    for (const stream of this.#streams) stream.removeReading(reading)
    this.#begun(reading)
  }

  async *#cut(reading: number, request: CutRequest): AsyncGenerator<CutChunk> {
    const follower = await this.#enter(reading, request)
    const { stream } = follower
    let { from } = request
    try {
      for (;;) {
        const cut = await stream.at(follower)
        if (cut === 'end') return request.onEnd(stream.endRemarks)
        if (cut === 'gone') break
        follower.next++
        stream.moved()
        const { ordinal } = cut.chunk
        if (ordinal >= from.ordinal) {
          from = cut.position
          yield cut
          // The run that was killed had cut it differently.
        } else if (ordinal === from.ordinal - 1 && !isSamePlace(cut.position, from)) break
      }
    } finally {
      stream.remove(follower)
      if (stream.isUnused) this.#streams.delete(stream)
    }
    yield* request.open(from, request.onEnd)
  }

  async #enter(reading: number, request: CutRequest): Promise<Follower> {
    if (this.#expected.size === 0) return this.#join(reading, request)
    const follower = new Promise<Follower>((enter) => this.#waiting.push({ reading, request, enter }))
    this.#begun(reading)
    return follower
  }

  /** All readings join before anything is cut; the least advanced one leads. */
  #begun(reading: number): void {
    if (!this.#expected.delete(reading) || this.#expected.size > 0) return
    const waiting = this.#waiting.splice(0).sort((a, b) => a.request.from.ordinal - b.request.from.ordinal)
    const joined = waiting.map(({ reading: one, request }) => this.#join(one, request))
    for (const [i, { enter }] of waiting.entries()) enter(joined[i]!)
  }

  #join(reading: number, request: CutRequest): Follower {
    for (const stream of this.#streams) {
      const follower = stream.join(reading, request)
      if (follower) return follower
    }
    const stream = new ChunkStream(request, this.#options.signal, this.#options.goBack)
    this.#streams.add(stream)
    return stream.join(reading, request)!
  }
}

const isSamePlace = (a: CutRequest['from'], b: CutRequest['from']) =>
  a.characters === b.characters && a.textHash === b.textHash
