/**
 * Similarity of two texts: the ratio of Python's `difflib.SequenceMatcher(None, a, b)`, which MRCR scores with. It is twice
 * the characters in matching blocks over all characters; the longest block is found first, then those on either side of it.
 * If `b` has 200 characters or more, blocks start only at characters whose count in `b` is at most a hundredth of its length
 * plus one ("autojunk"); they grow over any.
 */

/** @returns 0..1; 1 for two empty texts. Not symmetric. Counts code points, as Python does. */
export function sequenceRatio(a: string, b: string): number {
  const [one, other] = [Array.from(a), Array.from(b)]
  if (one.length + other.length === 0) {
    return 1
  }
  return (2 * matchingLength(one, other)) / (one.length + other.length)
}

interface Block {
  readonly a: number
  readonly b: number
  readonly length: number
}

function matchingLength(one: readonly string[], other: readonly string[]): number {
  const places = placesOf(other)
  const open: { aStart: number; aEnd: number; bStart: number; bEnd: number }[] = [
    { aStart: 0, aEnd: one.length, bStart: 0, bEnd: other.length },
  ]
  let total = 0
  for (let part = open.pop(); part !== undefined; part = open.pop()) {
    const { aStart, aEnd, bStart, bEnd } = part
    const { a, b, length } = longestBlock(one, other, places, part)
    if (length > 0) {
      total += length
      open.push({ aStart, aEnd: a, bStart, bEnd: b })
      open.push({ aStart: a + length, aEnd, bStart: b + length, bEnd })
    }
  }
  return total
}

/** Ascending positions of each character, without the most frequent characters. */
function placesOf(text: readonly string[]): ReadonlyMap<string, readonly number[]> {
  const places = new Map<string, number[]>()
  for (const [at, character] of text.entries()) {
    const known = places.get(character)
    if (known === undefined) {
      places.set(character, [at])
    } else {
      known.push(at)
    }
  }
  if (text.length >= 200) {
    const most = Math.floor(text.length / 100) + 1
    for (const [character, { length }] of places) {
      if (length > most) {
        places.delete(character)
      }
    }
  }
  return places
}

/** Of the longest blocks, the earliest in `a`, and of these the earliest in `b`; then grown in both directions. */
function longestBlock(
  one: readonly string[],
  other: readonly string[],
  places: ReadonlyMap<string, readonly number[]>,
  part: { readonly aStart: number; readonly aEnd: number; readonly bStart: number; readonly bEnd: number },
): Block {
  const { aStart, aEnd, bStart, bEnd } = part
  let best: Block = { a: aStart, b: bStart, length: 0 }
  // Lengths of the blocks that end at the previous character of `a`, by their end in `b`.
  let before = new Map<number, number>()
  for (let a = aStart; a < aEnd; a += 1) {
    const now = new Map<number, number>()
    for (const b of places.get(one[a]!) ?? []) {
      if (b >= bEnd) break
      if (b >= bStart) {
        const length = (before.get(b - 1) ?? 0) + 1
        now.set(b, length)
        if (length > best.length) {
          best = { a: a - length + 1, b: b - length + 1, length }
        }
      }
    }
    before = now
  }
  let { a, b } = best
  let [aNext, bNext] = [a + best.length, b + best.length]
  while (a > aStart && b > bStart && one[a - 1] === other[b - 1]) {
    a -= 1
    b -= 1
  }
  while (aNext < aEnd && bNext < bEnd && one[aNext] === other[bNext]) {
    aNext += 1
    bNext += 1
  }
  return { a, b, length: aNext - a }
}
