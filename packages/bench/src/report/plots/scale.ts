/** Maps values to positions on an axis, and chooses its ticks. */

export type Scale = (value: number) => number

export function linearScale(
  [low, high]: readonly [number, number],
  [from, to]: readonly [number, number],
): Scale {
  return (value) => (high === low ? (from + to) / 2 : from + ((value - low) / (high - low)) * (to - from))
}

/** For values above 0. */
export function logScale([low, high]: readonly [number, number], range: readonly [number, number]): Scale {
  const scale = linearScale([Math.log(low), Math.log(high)], range)
  return (value) => scale(Math.log(value))
}

/** Powers of ten that enclose all values; if fewer than three, 1, 2 and 5 times each power. */
export function logMarks(low: number, high: number): number[] {
  const [from, to] = [Math.floor(Math.log10(low) + 1e-9), Math.ceil(Math.log10(high) - 1e-9)]
  const powers = Array.from({ length: Math.max(1, to - from) + 1 }, (_, i) => from + i)
  if (powers.length > 2) return powers.map((power) => 10 ** power)
  const fine = powers.flatMap((power) => [1, 2, 5].map((step) => step * 10 ** power))
  const first = fine.findLastIndex((mark) => mark <= low * (1 + 1e-9))
  const last = fine.findIndex((mark) => mark >= high * (1 - 1e-9))
  return fine.slice(Math.max(0, first), Math.max(first + 1, last) + 1)
}

/** Multiples of 1, 2 or 5 times a power of ten between the bounds, at most six. */
export function linearMarks(low: number, high: number): number[] {
  if (!(high > low)) return [low]
  const rough = (high - low) / 5
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = power * [1, 2, 5, 10].find((factor) => factor * power >= rough * (1 - 1e-9))!
  const first = Math.ceil(low / step - 1e-9)
  const last = Math.floor(high / step + 1e-9)
  return Array.from({ length: last - first + 1 }, (_, i) => (first + i) * step)
}

/** Half the width of an axis around 0: the smallest of a few round limits that holds all values. */
export function symmetricLimit(values: readonly number[]): number {
  const largest = Math.max(0, ...values.filter(Number.isFinite).map(Math.abs))
  return [0.05, 0.1, 0.2, 0.5, 1].find((limit) => largest <= limit + 1e-9) ?? 1
}

/** Pushes labels apart until neighbours are at least `gap` apart, within the bounds if there is room. */
export function spread(
  places: readonly number[],
  gap: number,
  [from, to]: readonly [number, number],
): number[] {
  const order = places.map((place, i) => ({ place, i })).sort((a, b) => a.place - b.place)
  let floor = from
  for (const label of order) {
    label.place = Math.max(label.place, floor)
    floor = label.place + gap
  }
  let ceiling = to
  for (const label of order.toReversed()) {
    label.place = Math.min(label.place, ceiling)
    ceiling = label.place - gap
  }
  const result: number[] = []
  for (const { place, i } of order) result[i] = place
  return result
}
