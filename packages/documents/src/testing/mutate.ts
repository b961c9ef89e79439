/** Damages files as disks, networks, editors and attackers do, by seed. */
import { fromBufferPromise } from 'yauzl'
import { zipOf } from './zip-of.ts'

/** Numbers below 1, the same for the same seed. */
export type Random = () => number

export function randomOf(seed: number): Random {
  let state = seed >>> 0
  // mulberry32
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

const below = (random: Random, limit: number) => Math.floor(random() * limit)
const pick = <T>(random: Random, items: readonly T[]): T => items[below(random, items.length)]!

type Mutation = (bytes: Buffer, random: Random, other: Buffer) => Buffer

/** Two offsets in order, at most `most` apart. */
function range({ length }: Buffer, random: Random, most = length): readonly [number, number] {
  const from = below(random, length)
  return [from, Math.min(length, from + 1 + below(random, most))]
}

const mutations: readonly Mutation[] = [
  function flipsBytes(bytes, random) {
    const changed = Buffer.from(bytes)
    for (let i = 1 + below(random, 20); i > 0; i--)
      changed[below(random, changed.length)] = below(random, 256)
    return changed
  },
  function cutsOff(bytes, random) {
    return bytes.subarray(0, below(random, bytes.length))
  },
  function leavesOut(bytes, random) {
    const [from, to] = range(bytes, random, 4096)
    return Buffer.concat([bytes.subarray(0, from), bytes.subarray(to)])
  },
  function repeats(bytes, random) {
    const [from, to] = range(bytes, random, 4096)
    return Buffer.concat([
      bytes.subarray(0, to),
      ...Array(1 + below(random, 50)).fill(bytes.subarray(from, to)),
      bytes.subarray(to),
    ])
  },
  function fills(bytes, random) {
    const [from, to] = range(bytes, random, 4096)
    return Buffer.from(bytes).fill(pick(random, [0, 0x20, 0xff]), from, to)
  },
  function entersAnother(bytes, random, other) {
    const [from, to] = range(bytes, random, 4096)
    return Buffer.concat([
      bytes.subarray(0, from),
      other.subarray(...range(other, random, 4096)),
      bytes.subarray(to),
    ])
  },
  function changesNumbers(bytes, random) {
    const text = bytes.toString('latin1')
    const numbers = [...text.matchAll(/\d+/g)]
    if (numbers.length === 0) return bytes
    const { index, 0: found } = pick(random, numbers)
    const number = pick(random, ['-1', '0', '99999999999', '4294967295', '1e308', 'NaN'])
    return Buffer.from(text.slice(0, index) + number + text.slice(index + found.length), 'latin1')
  },
  function nests(bytes, random) {
    const text = bytes.toString('latin1')
    const tags = [...text.matchAll(/<[a-zA-Z:]+[^<>/]*>|\{|\[|<</g)]
    if (tags.length === 0) return bytes
    const { index, 0: tag } = pick(random, tags)
    return Buffer.from(
      text.slice(0, index) + tag.repeat(pick(random, [100, 50_000])) + text.slice(index),
      'latin1',
    )
  },
]

/** @param other another file, parts of which may be inserted */
export async function mutate(bytes: Buffer, random: Random, other: Buffer): Promise<Buffer> {
  let changed = bytes
  // Changing bytes of a packed part only breaks its checksum: the parser would never see them.
  const isPackage = bytes.subarray(0, 4).toString('latin1') === 'PK\x03\x04'
  if (isPackage && random() < 0.7) return mutatePart(bytes, random, other)
  for (let i = 1 + below(random, 3); i > 0 && changed.length > 0; i--) {
    changed = pick(random, mutations)(changed, random, other)
  }
  return changed
}

async function mutatePart(bytes: Buffer, random: Random, other: Buffer): Promise<Buffer> {
  const zip = await fromBufferPromise(bytes, { lazyEntries: true })
  const parts: { name: string; content: Buffer }[] = []
  for await (const entry of zip.eachEntry()) {
    const pieces: Buffer[] = []
    for await (const piece of await zip.openReadStreamPromise(entry)) pieces.push(piece as Buffer)
    parts.push({ name: entry.fileName, content: Buffer.concat(pieces) })
  }
  const chosen = pick(
    random,
    parts.filter(({ content }) => content.length > 0),
  )
  chosen.content = pick(random, mutations)(chosen.content, random, other)
  return zipOf(parts)
}
