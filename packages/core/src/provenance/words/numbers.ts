/** Words of numbers, units and dates. Data only. */

const ones =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'
const ordinals =
  'first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth'
const tens = 'twenty thirty forty fifty sixty seventy eighty ninety'

const numbered = (words: string, first: number, step = 1): [string, number][] =>
  words.split(' ').map((word, i) => [word, first + i * step])

/** Numbers below a hundred, and scores. */
export const smallNumbers: ReadonlyMap<string, number> = new Map([
  ...numbered(ones, 0),
  ...numbered(tens, 20, 10),
  ['threescore', 60],
  ['fourscore', 80],
  ['twice', 2],
  ['thrice', 3],
  ...numbered('zwei drei vier fünf sechs sieben acht neun zehn elf zwölf', 2),
  ...numbered('deux trois quatre cinq six sept huit neuf dix onze douze', 2),
  ...numbered('dos tres cuatro cinco seis siete ocho nueve diez once doce', 2),
])

export const ordinalNumbers: ReadonlyMap<string, number> = new Map([
  ...numbered(ordinals, 1),
  ['thirtieth', 30],
])

/** They multiply the number before them; without one they count once. */
export const multipliers: ReadonlyMap<string, number> = new Map([
  ['hundred', 100],
  ['thousand', 1000],
  ['million', 1e6],
  ['billion', 1e9],
  ['trillion', 1e12],
  ['dozen', 12],
  ['bn', 1e9],
  ['mn', 1e6],
  ['mio', 1e6],
  ['mio.', 1e6],
  ['mrd.', 1e9],
  ['mrd', 1e9],
  ['tausend', 1000],
  ['millionen', 1e6],
  ['milliarden', 1e9],
  ['mille', 1000],
  ['millions', 1e6],
  ['billions', 1e9],
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

/** A word in two rows may have either unit. */
const units: readonly (readonly [kind: string, factor: number, words: string])[] = [
  ['length', 0.001, 'mm millimetre millimetres millimeter millimeters'],
  ['length', 0.01, 'cm centimetre centimetres centimeter centimeters'],
  ['length', 1, 'm metre metres meter meters mètre mètres metro metros'],
  ['length', 1000, 'km kilometre kilometres kilometer kilometers kilomètres kilómetros'],
  ['length', 1609.344, 'mile miles mi'],
  ['length', 0.3048, 'ft foot feet'],
  ['length', 0.0254, 'inch inches'],
  ['area', 1, 'm² square_metres square_metre square_meters'],
  ['area', 1e6, 'km² square_kilometres square_kilometre square_kilometers'],
  ['area', 1e4, 'ha hectare hectares'],
  ['mass', 0.001, 'mg milligram milligrams'],
  ['mass', 1, 'g gram grams gramme grammes'],
  ['mass', 1000, 'kg kilo kilos kilogram kilograms'],
  ['mass', 1e6, 't tonne tonnes'],
  ['mass', 453.592, 'lb lbs pound pounds'],
  ['mass', 28.3495, 'oz ounce ounces'],
  ['volume', 0.001, 'ml millilitre millilitres milliliter milliliters'],
  ['volume', 1, 'l litre litres liter liters'],
  ['volume', 100, 'hl hectolitre hectolitres'],
  ['volume', 1000, 'm³ cubic_metres cubic_metre cubic_meters'],
  ['time', 0.001, 'ms millisecond milliseconds'],
  ['time', 1, 's sec second seconds'],
  ['time', 60, 'min mins minute minutes'],
  ['time', 3600, 'hour hours h hrs'],
  ['time', 86400, 'day days'],
  ['time', 604800, 'week weeks'],
  ['months', 1, 'month months'],
  ['months', 12, 'year years'],
  ['%', 1, '% percent per_cent percentage_points percentage_point prozent'],
  ['°C', 1, '°c degrees_celsius degree_celsius ° degree degrees'],
  ['°F', 1, '°f degrees_fahrenheit ° degree degrees'],
  ['power', 1, 'w watt watts'],
  ['power', 1e3, 'kw kilowatt kilowatts'],
  ['power', 1e6, 'mw megawatt megawatts'],
  ['frequency', 1, 'hz hertz'],
  ['frequency', 1e3, 'khz kilohertz'],
  ['frequency', 1e6, 'mhz megahertz'],
  ['frequency', 1e9, 'ghz gigahertz'],
  ['sound', 1, 'db decibel decibels'],
  ['voltage', 1, 'v volt volts'],
  ['EUR', 1, '€ eur euro euros'],
  ['EUR', 0.01, 'cent cents'],
  ['USD', 1, '$ usd dollar dollars'],
  ['USD', 0.01, 'cent cents'],
  ['GBP', 1, '£ gbp pound pounds'],
  ['GBP', 0.01, 'pence penny'],
  ['CHF', 1, 'chf'],
  ['bytes', 1, 'byte bytes'],
  ['bytes', 1e3, 'kb kilobyte kilobytes'],
  ['bytes', 1e6, 'mb megabyte megabytes'],
  ['bytes', 1e9, 'gb gigabyte gigabytes'],
  ['bytes', 1e12, 'tb terabyte terabytes'],
]

const unitTable = new Map<string, Unit[]>()
for (const [kind, factor, words] of units) {
  for (const word of words.split(' ')) {
    const name = word.replace('_', ' ')
    unitTable.set(name, [...(unitTable.get(name) ?? []), { kind, factor }])
  }
}

/**
 * Units of one or two words after a number.
 * @param isAttached whether nothing is in between: "5m"
 */
export function unitsOf(word: string, isAttached = true): readonly Unit[] | undefined {
  if (/^[A-Z]$/.test(word) && !/^[WV]$/.test(word)) return undefined
  if (!isAttached && /^(?:t|oz)$/.test(word)) return undefined
  return unitTable.get(word.toLowerCase())
}

const monthNames = 'january february march april may june july august september october november december'
const shortMonths = 'jan feb mar apr may jun jul aug sep oct nov dec'
const inGerman = 'januar februar märz april mai juni juli august september oktober november dezember'
const inFrench = 'janvier février mars avril mai juin juillet août septembre octobre novembre décembre'
const inSpanish = 'enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre'

export const months: ReadonlyMap<string, number> = new Map([
  ...[inGerman, inFrench, inSpanish, monthNames, shortMonths].flatMap((names) => numbered(names, 1)),
  ['sept', 9],
])
