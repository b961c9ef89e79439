/** Draws from large ranges and arrays without copying them. */
import { type Random, shuffleInPlace } from '../random.ts'

/** `count` distinct whole numbers in [0, n), in the order drawn; `count` must be at most `n`. */
export function drawDistinct(random: Random, count: number, n: number): number[] {
  const drawn = new Set<number>()
  while (drawn.size < count) {
    drawn.add(random.int(n))
  }
  return [...drawn]
}

/** 0, 1, ... n - 1 in random order. */
export const shuffledRange = (random: Random, n: number): Int32Array =>
  shuffleInPlace(
    random,
    new Int32Array(n).map((_, i) => i),
  )
