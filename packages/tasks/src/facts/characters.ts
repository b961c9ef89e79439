/** Characters drawn one by one. */
import type { Random } from '../random.ts'

export const digits = (random: Random, count: number): string =>
  Array.from({ length: count }, (_, i) => (i === 0 ? random.between(1, 9) : random.int(10))).join('')

/** `count` characters of the alphabet. */
export const characters = (random: Random, alphabet: string, count: number): string =>
  Array.from({ length: count }, () => alphabet.charAt(random.int(alphabet.length))).join('')

/** Capital letters without I and O, which read like digits. */
export const upper = 'ABCDEFGHJKLMNPQRSTUVWXYZ'
