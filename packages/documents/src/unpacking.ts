/** Counts what containers unpack to, so that a bomb ends early. One instance per given file. */
import type { DocumentError } from '@memagent/core'
import { overLimit } from './failures.ts'
import type { Limits } from './limits.ts'
import type { ByteSource } from './loader.ts'

/** Each may take minutes. */
const mostSlowEntries = 5

/** Below this, no ratio is suspicious. */
const harmlessBytes = 16 * 2 ** 20

export class Unpacking {
  #bytes = 0
  #entries = 0
  #slowEntries = 0
  #hasEnded = false
  readonly #limits: Limits
  readonly #packedBytes: number | undefined

  /** @param packedBytes of the outermost file, if known */
  constructor(limits: Limits, packedBytes: number | undefined) {
    this.#limits = limits
    this.#packedBytes = packedBytes
  }

  /** Whether nothing more of the outermost file is read after this error inside it: a bomb would go on in the next entry. */
  endsAt({ code, details }: DocumentError, depth: number): boolean {
    if (depth > 0 && code === 'document/over-limit') {
      if (details.limitOf === 'parser') this.#slowEntries++
      this.#hasEnded ||= details.limitOf === 'file' || this.#slowEntries > mostSlowEntries
    }
    return this.#hasEnded
  }

  /** The same entry; fails if there are too many entries or bytes. */
  counted(entry: ByteSource): ByteSource {
    return { ...entry, stream: () => this.#count(entry) }
  }

  async *#count({ name, stream }: ByteSource): AsyncGenerator<Uint8Array> {
    const { entries, unpackedBytes, ratio } = this.#limits
    if (++this.#entries > entries)
      throw overLimit(name, `there are more than ${entries} entries before it`, 'file')
    const most = Math.min(
      unpackedBytes,
      this.#packedBytes === undefined
        ? Number.POSITIVE_INFINITY
        : Math.max(harmlessBytes, ratio * this.#packedBytes),
    )
    for await (const bytes of stream()) {
      this.#bytes += bytes.length
      if (this.#bytes > most) {
        throw overLimit(
          name,
          most < unpackedBytes
            ? `the archive unpacks to more than ${ratio} times its size`
            : `the archive unpacks to more than ${Math.round(most / 2 ** 20)} MiB`,
          'file',
        )
      }
      yield bytes
    }
  }
}
