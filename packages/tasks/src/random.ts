/**
 * Seeded, splittable random numbers. A generator is named by its keys: the same keys always give the same numbers, and `fork`
 * depends only on the keys, not on how many numbers were drawn before. Not for cryptography.
 * Generator: sfc32 (PractRand, public domain); keys are mixed with cyrb128 (public domain).
 */
import { TaskError } from '@memagent/core'

export type RandomKey = string | number

export interface Random {
  /** Uniform in [0, 1), 32 bits. */
  next(): number
  /** Uniform integer in [0, n). @throws TaskError unless n is a positive integer */
  int(n: number): number
  /** Uniform integer in [low, high], both included. */
  between(low: number, high: number): number
  chance(probability: number): boolean
  /** @throws TaskError when there is nothing to pick from */
  pick<T>(items: readonly T[]): T
  /** A new array in random order. */
  shuffle<T>(items: readonly T[]): T[]
  /** An independent generator, named by this one's keys and these. */
  fork(...keys: RandomKey[]): Random
}

export function createRandom(...keys: RandomKey[]): Random {
  return generatorFrom(seedFrom(keys.map(keyText).join('')))
}

/** 32-bit FNV-1a of the UTF-16 code units: stable across versions, used to split names into pools. */
export function hashText(text: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  }
  // FNV's low bits are weak for short texts, so mix once more before a modulus is taken.
  hash ^= hash >>> 15
  hash = Math.imul(hash, 0x2c1b3c6d)
  hash ^= hash >>> 12
  hash = Math.imul(hash, 0x297a2d39)
  return (hash ^ (hash >>> 15)) >>> 0
}

type Seed = readonly [number, number, number, number]

const keyText = (key: RandomKey): string => `${typeof key === 'number' ? 'n' : 's'}${key}\u0000`

function seedFrom(text: string, start: Seed = [1779033703, 3144134277, 1013904242, 2773480762]): Seed {
  let [a, b, c, d] = start
  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i)
    a = b ^ Math.imul(a ^ code, 597399067)
    b = c ^ Math.imul(b ^ code, 2869860233)
    c = d ^ Math.imul(c ^ code, 951274213)
    d = a ^ Math.imul(d ^ code, 2716044179)
  }
  a = Math.imul(c ^ (a >>> 18), 597399067)
  b = Math.imul(d ^ (b >>> 22), 2869860233)
  c = Math.imul(a ^ (c >>> 17), 951274213)
  d = Math.imul(b ^ (d >>> 19), 2716044179)
  const mixed = a ^ b ^ c ^ d
  return [mixed >>> 0, (b ^ mixed) >>> 0, (c ^ mixed) >>> 0, (d ^ mixed) >>> 0]
}

function generatorFrom(seed: Seed): Random {
  let [a, b, c, d] = seed
  const step = (): number => {
    const sum = (((a + b) | 0) + d) | 0
    d = (d + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = (((c << 21) | (c >>> 11)) + sum) | 0
    return sum >>> 0
  }
  for (let i = 0; i < 12; i += 1) {
    step()
  }
  const random: Random = {
    next: () => step() / 4294967296,
    int(n) {
      if (!Number.isSafeInteger(n) || n < 1) {
        throw new TaskError({ code: 'task/bad-range', message: `int(n) needs a positive integer, got ${n}` })
      }
      return Math.floor(random.next() * n)
    },
    between: (low, high) => low + random.int(high - low + 1),
    chance: (probability) => random.next() < probability,
    pick(items) {
      if (items.length === 0) {
        throw new TaskError({ code: 'task/nothing-to-pick', message: 'pick() got an empty list' })
      }
      return items[random.int(items.length)]!
    },
    shuffle: (items) => shuffleInPlace(random, [...items]),
    fork: (...keys) => generatorFrom(seedFrom(keys.map(keyText).join(''), seed)),
  }
  return random
}

/** Shuffles a list in place (Fisher and Yates) and returns it. */
export function shuffleInPlace<List extends unknown[] | Int32Array>(random: Random, items: List): List {
  for (let i = items.length - 1; i > 0; i -= 1) {
    const j = random.int(i + 1)
    const held = items[i]
    items[i] = items[j]
    items[j] = held
  }
  return items
}
