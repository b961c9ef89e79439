/** Words of numbers, units and dates. Data only. */

const ones =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'
const ordinals =
  'first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth'
const tens = 'twenty thirty forty fifty sixty seventy eighty ninety'

const numbered = (words: string, first: number, step = 1): [string, number][] =>
  words.split(' ').map((word, i) => [word, first + i * step])

/** Below a hundred. */
export const smallNumbers: ReadonlyMap<string, number> = new Map([
  ...numbered(ones, 0),
  ...numbered(tens, 20, 10),
])

export const ordinalNumbers: ReadonlyMap<string, number> = new Map([
  ...numbered(ordinals, 1),
  ['thirtieth', 30],
])

/** Multiply what stands before them; without a number before them they count once. */
export const multipliers: ReadonlyMap<string, number> = new Map([
  ['hundred', 100],
  ['thousand', 1000],
  ['million', 1e6],
  ['billion', 1e9],
  ['dozen', 12],
  ['k', 1000],
  ['bn', 1e9],
  ['mio', 1e6],
  ['mrd', 1e9],
  ['tausend', 1000],
  ['millionen', 1e6],
  ['milliarden', 1e9],
  ['mille', 1000],
  ['millions', 1e6],
  ['milliards', 1e9],
  ['mil', 1000],
  ['millones', 1e6],
  ['тысяч', 1000],
  ['миллионов', 1e6],
])

export const fractions: ReadonlyMap<string, number> = new Map([
  ['half', 0.5],
  ['quarter', 0.25],
])

export interface Unit {
  readonly kind: string
  readonly factor: number
}

const units: readonly (readonly [kind: string, factor: number, words: string])[] = [
  ['length', 0.001, 'mm millimetre millimetres millimeter millimeters'],
  ['length', 0.01, 'cm centimetre centimetres centimeter centimeters'],
  ['length', 1, 'm metre metres meter meters mètre mètres metro metros'],
  ['length', 1000, 'km kilometre kilometres kilometer kilometers kilomètres kilómetros'],
  ['length', 1609.344, 'mile miles mi'],
  ['length', 0.3048, 'ft foot feet'],
  ['length', 0.0254, 'inch inches'],
  ['mass', 0.001, 'mg milligram milligrams'],
  ['mass', 1, 'g gram grams gramme grammes'],
  ['mass', 1000, 'kg kilo kilos kilogram kilograms'],
  ['mass', 1e6, 'tonne tonnes'],
  ['volume', 0.001, 'ml millilitre millilitres milliliter milliliters'],
  ['volume', 1, 'l litre litres liter liters'],
  ['time', 1, 'second seconds'],
  ['time', 60, 'min minute minutes'],
  ['time', 3600, 'hour hours h'],
  ['time', 86400, 'day days'],
  ['time', 604800, 'week weeks'],
  ['months', 1, 'month months'],
  ['months', 12, 'year years'],
  ['%', 1, '% percent'],
  ['degrees', 1, '° degree degrees'],
  ['EUR', 1, '€ eur euro euros'],
  ['USD', 1, '$ usd dollar dollars'],
  ['GBP', 1, '£ gbp pound pounds'],
  ['bytes', 1, 'byte bytes'],
  ['bytes', 1e3, 'kb kilobyte kilobytes'],
  ['bytes', 1e6, 'mb megabyte megabytes'],
  ['bytes', 1e9, 'gb gigabyte gigabytes'],
]

export const unitOf: ReadonlyMap<string, Unit> = new Map(
  units.flatMap(([kind, factor, words]) => words.split(' ').map((word) => [word, { kind, factor }] as const)),
)

const monthNames = 'january february march april may june july august september october november december'
const shortMonths = 'jan feb mar apr may jun jul aug sep oct nov dec'

export const months: ReadonlyMap<string, number> = new Map([
  ...numbered(monthNames, 1),
  ...numbered(shortMonths, 1),
  ['sept', 9],
])
