/** Combines the amounts of a few sentences: sums, differences, products, shares. */
import type { Amount } from './amounts.ts'

export interface Result {
  /** In the base unit of its kind. */
  readonly value: number
  readonly used: readonly Amount[]
}

/** Kinds that are points on a scale: their difference means something, their sum does not. */
const scales = new Set(['days', 'clock', 'year'])
const year = 365.2425 * 86400

export interface Wanted {
  /** Kinds that the claim may have. */
  readonly kinds: readonly string[]
  /** Whether the statement speaks of a change. */
  readonly isChange: boolean
  /** Whether the statement asks for a total. */
  readonly isTotal: boolean
  /** Whether the statement speaks of a year, while the text may count by the month. */
  readonly perYear: boolean
}

/** All results of the wanted kinds. */
export function* operationsOn(amounts: readonly Amount[], wanted: Wanted): Generator<Result> {
  for (const kind of wanted.kinds) {
    if (kind === '%') yield* shares(amounts, wanted)
    if (kind === 'time' || kind === 'months' || kind === 'count') yield* spans(amounts, kind)
    if (kind === 'year' || kind === 'days') yield* moments(amounts, kind)
    if (scales.has(kind)) continue
    const own = amounts.filter((one) => one.kind === kind)
    yield* pairs(own, wanted)
    yield* totals(own, wanted.isTotal || kind !== 'count')
    yield* products(own, amounts, wanted)
  }
}

function* pairs(own: readonly Amount[], { isTotal }: Wanted): Generator<Result> {
  for (const [i, one] of own.entries()) {
    for (const other of own.slice(i + 1)) {
      const isAlike = one.of === other.of || one.of === '' || other.of === '' || one.ordinal === other.ordinal
      if (!isAlike && !isTotal) continue
      const used = [one, other]
      yield { value: one.value + other.value, used }
      if (one.value !== other.value) yield { value: Math.abs(one.value - other.value), used }
    }
  }
}

/** Totals of each sentence, and of all amounts that count the same thing. */
function* totals(own: readonly Amount[], isOfAll: boolean): Generator<Result> {
  const counted = own.filter(({ of }) => isOfAll || of !== '')
  const groups = [...groupedBy(own, ({ ordinal }) => `${ordinal}`), ...groupedBy(counted, ({ of }) => of)]
  for (const used of groups)
    if (used.length > 2) yield { value: used.reduce((sum, { value }) => sum + value, 0), used }
}

function groupedBy(own: readonly Amount[], key: (one: Amount) => string): Amount[][] {
  const groups = new Map<string, Amount[]>()
  for (const one of own) groups.set(key(one), [...(groups.get(key(one)) ?? []), one])
  return [...groups.values()]
}

/** A count times a price, a fee over months, a percentage of a sum. */
function* products(own: readonly Amount[], all: readonly Amount[], { perYear }: Wanted): Generator<Result> {
  for (const one of own) {
    if (perYear) yield { value: 12 * one.value, used: [one] }
    for (const other of all) {
      if (other === one) continue
      const used = [one, other]
      // "Five farms with six cows", but not five farms here and six cows there.
      const isApart = one.kind === 'count' && one.ordinal !== other.ordinal
      if (other.kind === 'count' && other.value > 0 && !isApart) {
        yield { value: one.value * other.value, used }
        if (other.value < 1 || other.value > 1) yield { value: one.value / other.value, used }
      }
      if (other.kind === 'months') yield { value: one.value * other.value, used }
      if (other.kind === '%' && other.value > 0) {
        yield { value: (one.value * other.value) / 100, used }
        yield { value: (100 * one.value) / other.value, used }
      }
    }
  }
}

/** A part of a whole, or a change, in per cent. */
function* shares(all: readonly Amount[], { isChange }: Wanted): Generator<Result> {
  const amounts = all.filter((one) => !scales.has(one.kind) && one.kind !== '%' && one.value > 0)
  for (const one of amounts) {
    for (const other of amounts) {
      if (one === other || one.kind !== other.kind || one.value >= other.value) continue
      const used = [one, other]
      if (!isChange) yield { value: (100 * one.value) / other.value, used }
      else {
        const change = other.value - one.value
        yield { value: (100 * change) / one.value, used }
        yield { value: (100 * change) / other.value, used }
      }
    }
  }
}

/** The time between two points, in seconds or months; `count` gives whole years, as for an age. */
function* spans(all: readonly Amount[], kind: 'time' | 'months' | 'count'): Generator<Result> {
  const places = all.filter((one) => scales.has(one.kind))
  for (const [i, one] of places.entries()) {
    for (const other of places.slice(i + 1)) {
      if (one.kind !== other.kind) continue
      const used = [one, other]
      const apart = Math.abs(one.value - other.value)
      if (apart === 0) continue
      if (one.kind === 'year') {
        if (kind !== 'time') yield { value: kind === 'months' ? 12 * apart : apart, used }
        continue
      }
      if (kind === 'time') yield { value: apart, used }
      if (one.kind === 'clock') continue
      if (kind === 'months') yield { value: Math.round((apart / year) * 12), used }
      const years = Math.floor(apart / year + 1e-3)
      if (years > 0) yield { value: kind === 'months' ? 12 * years : years, used }
    }
  }
}

/** A year or day moved forward or back by a duration. */
function* moments(all: readonly Amount[], kind: 'year' | 'days'): Generator<Result> {
  for (const one of all.filter((amount) => amount.kind === kind)) {
    for (const span of all) {
      if (span.kind !== 'months' && span.kind !== 'time' && span.kind !== 'count') continue
      if (Math.abs(span.ordinal - one.ordinal) > 1) continue
      const used = [one, span]
      if (kind === 'year') {
        const years = span.kind === 'months' ? span.value / 12 : span.kind === 'count' ? span.value : 0
        if (years > 0) {
          yield { value: one.value + years, used }
          yield { value: one.value - years, used }
        }
        continue
      }
      if (span.kind === 'count') continue
      for (const sign of [1, -1]) {
        const moved = new Date(one.value * 1000)
        if (span.kind === 'months') moved.setUTCMonth(moved.getUTCMonth() + sign * span.value)
        const value = moved.getTime() / 1000 + (span.kind === 'time' ? sign * span.value : 0)
        yield { value, used }
        yield { value: value - 86400, used }
      }
    }
  }
}
