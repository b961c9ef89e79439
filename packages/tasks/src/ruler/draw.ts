/** Draws from large ranges and arrays without copying them. */
import type { Random } from '../random.ts'

/** `count` distinct whole numbers in [0, n), in the order drawn; `count` must be at most `n`. */
export function drawDistinct(random: Random, count: number, n: number): number[] {
  const drawn = new Set<number>()
  while (drawn.size < count) {
    drawn.add(random.int(n))
  }
  return [...drawn]
}

/** Shuffles an array in place (Fisher and Yates) and returns it. */
export function shuffleInPlace(random: Random, items: Int32Array): Int32Array {
  for (let i = items.length - 1; i > 0; i -= 1) {
    const j = random.int(i + 1)
    const held = items[i]!
    items[i] = items[j]!
    items[j] = held
  }
  return items
}

/** 0, 1, ... n - 1 in random order. */
export const shuffledRange = (random: Random, n: number): Int32Array =>
  shuffleInPlace(
    random,
    new Int32Array(n).map((_, i) => i),
  )
