/** Totals of a reading so far, overall and in the current step: chunks, calls, tokens and time. */
import type { ChatResult } from '../chat/chat.ts'
import type { Chunk } from '../chunking/chunker.ts'
import { bytesOf } from '../retrieval/byte-ranges.ts'
import type { Checkpoint } from './checkpoint.ts'
import type { CallUsage, ReadingEvent, ReadingUsage } from './events.ts'
import {
  addTokens,
  callUsage,
  noTokens,
  noUsage,
  sum,
  type Totals,
  usageOfCall,
  withCached,
  withWasted,
} from './usage.ts'

export class RunningTotals {
  usage: ReadingUsage
  /** Chunks read. */
  steps: number
  readonly #now: () => number
  readonly #startMs: number
  // Of the current step.
  #chunks: Chunk[] = []
  #stepUsage = noTokens
  #stepFromCache: CallUsage | undefined
  #stepMs: number

  /** @param saved of a reading that is resumed @param now milliseconds */
  constructor(saved: Pick<Checkpoint, 'usage' | 'steps' | 'seconds'> | undefined, now: () => number) {
    this.usage = saved?.usage ?? noUsage
    this.steps = saved?.steps ?? 0
    this.#now = now
    this.#stepMs = now()
    this.#startMs = this.#stepMs - (saved?.seconds ?? 0) * 1000
  }

  get seconds(): number {
    return (this.#now() - this.#startMs) / 1000
  }

  /** Whether chunks were handed out since the last step ended. */
  get isInStep(): boolean {
    return this.#chunks.length > 0
  }

  addChunk(chunk: Chunk): void {
    this.#chunks.push(chunk)
  }

  addCall(result: ChatResult): void {
    if (result.isFromCache) {
      this.usage = { ...this.usage, fromCache: withCached(this.usage.fromCache, result) }
      this.#stepFromCache = withCached(this.#stepFromCache, result)
      return
    }
    this.add(usageOfCall(result))
    this.#stepUsage = addTokens(this.#stepUsage, result.usage ?? noTokens)
  }

  add(more: Partial<Totals>): void {
    this.usage = sum(this.usage, more)
  }

  /** Adds calls made in vain. @returns their usage; undefined if there are none */
  addWasted(results: readonly ChatResult[]): CallUsage | undefined {
    const wasted = callUsage(results)
    if (wasted.calls === 0) return undefined
    this.usage = withWasted(this.usage, wasted)
    return wasted
  }

  /** @param wasted in this step @returns its `chunk-end` events; the last has the step's usage */
  endStep(wasted: readonly ChatResult[]): ReadingEvent[] {
    const [endMs, chunks] = [this.#now(), this.#chunks]
    const wastedUsage = this.addWasted(wasted)
    const events = chunks.map(({ ordinal, tokens, ranges }, i): ReadingEvent => {
      const bytes = bytesOf(ranges)
      const isLast = i === chunks.length - 1
      this.add({ chunkTokens: tokens, bytes })
      this.steps++
      return {
        type: 'chunk-end',
        step: ordinal,
        tokens,
        bytes,
        ranges,
        usage: isLast ? this.#stepUsage : noTokens,
        seconds: isLast ? (endMs - this.#stepMs) / 1000 : 0,
        ...(isLast && wastedUsage ? { wasted: wastedUsage } : {}),
        ...(isLast && this.#stepFromCache ? { fromCache: this.#stepFromCache } : {}),
      }
    })
    this.#chunks = []
    this.#stepUsage = noTokens
    this.#stepFromCache = undefined
    this.#stepMs = endMs
    return events
  }
}
