/** How much a file may need before it counts as hostile. */
export interface Limits {
  /** Size of a file that has to be held whole to be read. */
  readonly wholeBytes: number
  /** For a parser that cannot stream. */
  readonly parseSeconds: number
  readonly parseMegabytes: number
  /** Containers inside containers. */
  readonly depth: number
  readonly entries: number
  /** Uncompressed bytes of all entries of one outermost file. */
  readonly unpackedBytes: number
  /** Uncompressed bytes per compressed byte; ignored for the first 16 MiB. */
  readonly ratio: number
}

export const defaultLimits: Limits = {
  wholeBytes: 256 * 2 ** 20,
  parseSeconds: 120,
  parseMegabytes: 512,
  depth: 4,
  entries: 100_000,
  unpackedBytes: 64 * 2 ** 30,
  ratio: 250,
}
