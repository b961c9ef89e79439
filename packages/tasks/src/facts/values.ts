/** Values of facts: numbers, dates, prices, names, places. Each is a pure function of the random generator. */
import { characters, upper } from './codes.ts'
import { capitalise, plural, withIndefiniteArticle } from './grammar.ts'
import type { ValueSource } from './kind.ts'
import { type NameForm, nameForms } from './name-forms.ts'
import { brandName, firstName, personName, surname, townName } from './name-parts.ts'
import * as list from './words.ts'

const twoDigits = (n: number): string => String(n).padStart(2, '0')
const grouped = (n: number, separator = ','): string => String(n).replace(/\B(?=(\d{3})+$)/g, separator)

export const person: ValueSource = personName
export const woman: ValueSource = (random) => `${random.pick(list.womensNames)} ${surname(random)}`
export const town: ValueSource = townName
export const fromClass =
  (forms: readonly NameForm[]): ValueSource =>
  (random) =>
    random
      .pick(forms)
      .map((part) => (typeof part === 'string' ? part : part(random)))
      .join('')
export const firm: ValueSource = fromClass(nameForms.firm)
export const building: ValueSource = fromClass(nameForms.building)

export const year: ValueSource = (random) => String(random.between(1790, 2024))
export const monthAndYear: ValueSource = (random) =>
  `${random.pick(list.months)} ${random.between(1900, 2035)}`
export const date: ValueSource = (random) => {
  const day = random.between(1, 28)
  const month = random.int(12)
  const when = random.between(1890, 2035)
  switch (random.int(4)) {
    case 0:
      return `${day} ${list.months[month]} ${when}`
    case 1:
      return `${list.months[month]} ${day}, ${when}`
    case 2:
      return `${when}-${twoDigits(month + 1)}-${twoDigits(day)}`
    default:
      return `${day} ${list.months[month]} ${when}`
  }
}
export const dayOfYear: ValueSource = (random) => `${random.between(1, 28)} ${random.pick(list.months)}`
export const appointment: ValueSource = (random) =>
  random.chance(0.4) ? `${random.pick(list.weekdays)}, ${dayOfYear(random)}` : date(random)
export const timeOfDay: ValueSource = (random) => {
  const minute = twoDigits(random.int(12) * 5 + (random.chance(0.2) ? random.int(5) : 0))
  return random.chance(0.6)
    ? `${twoDigits(random.int(24))}:${minute}`
    : `${random.between(1, 12)}:${minute} ${random.pick(['am', 'pm'])}`
}
export const duration: ValueSource = (random) =>
  `${random.between(2, 120)} ${random.pick(['minutes', 'hours', 'days', 'weeks', 'months', 'years'])}`

export const price: ValueSource = (random) => {
  const amount = random.chance(0.5)
    ? grouped(random.between(2, 9999) * random.pick([1, 5, 10, 50, 100]))
    : `${random.between(1, 999)}.${twoDigits(random.int(100))}`
  switch (random.int(6)) {
    case 0:
      return `€${amount}`
    case 1:
      return `£${amount}`
    case 2:
      return `${amount} euros`
    case 3:
      return `${amount} ${random.pick(['crowns', 'francs', 'pounds', 'dollars', 'rupees', 'pesos', 'zloty'])}`
    case 4:
      return `${random.pick(['USD', 'EUR', 'CHF', 'GBP', 'NOK', 'JPY'])} ${amount}`
    default:
      return `$${amount}`
  }
}
export const bigMoney: ValueSource = (random) => {
  const amount = random.chance(0.5)
    ? String(random.between(2, 980))
    : `${random.between(1, 98)}.${random.between(1, 9)}`
  const scale = random.pick(['million', 'million', 'billion', 'thousand'])
  return random.chance(0.5)
    ? `${random.pick(['$', '€', '£'])}${amount} ${scale}`
    : `${amount} ${scale} ${random.pick(['euros', 'dollars', 'pounds', 'francs', 'crowns'])}`
}
export const count: ValueSource = (random) => {
  const n = random.chance(0.3) ? random.between(11, 999) : random.between(1000, 990_000)
  return random.chance(0.7) ? grouped(n) : String(n)
}
export const smallCount: ValueSource = (random) => String(random.between(11, 9800))
export const length: ValueSource = (random) => {
  const n = random.chance(0.3)
    ? `${random.between(2, 240)}.${random.between(1, 9)}`
    : String(random.between(4, 620))
  return `${n} ${random.pick(['metres', 'meters', 'feet', 'm', 'yards'])}`
}
export const temperature: ValueSource = (random) =>
  random.chance(0.6)
    ? `${random.between(31, 480)} °C`
    : `${random.between(31, 480)} degrees ${random.pick(['Celsius', 'Fahrenheit'])}`
export const power: ValueSource = (random) =>
  `${random.between(2, 960)} ${random.pick(['kilowatts', 'watts', 'kW', 'horsepower', 'megawatts'])}`

export const streetAddress: ValueSource = (random) => {
  const street = random.pick([
    () => `${surname(random)} ${random.pick(['Street', 'Road', 'Lane', 'Avenue', 'Square', 'Quay'])}`,
    () =>
      `${capitalise(random.pick(list.nouns))} ${random.pick(['Street', 'Road', 'Lane', 'Hill', 'Row', 'Way'])}`,
    () =>
      `${capitalise(random.pick(list.adjectives))} ${capitalise(random.pick(list.nouns))} ${random.pick(['Drive', 'Close', 'Alley'])}`,
  ])()
  return `${random.between(1, 340)} ${street}`
}
export const placeOfKeeping: ValueSource = (random) =>
  random.pick([
    () =>
      `the ${random.pick(list.colours)} ${random.pick(['cabinet', 'chest', 'crate', 'box', 'locker', 'safe', 'trunk', 'drawer'])}`,
    () => `locker ${random.between(2, 480)}`,
    () => `the cellar of ${building(random)}`,
    () => `the attic of ${building(random)}`,
    () => `cabinet ${characters(random, upper, 1)}${random.between(1, 60)}`,
    () => `a bank vault in ${town(random)}`,
    () => `room ${random.between(2, 780)} of ${building(random)}`,
    () => building(random),
  ])()
export const berth: ValueSource = (random) =>
  random.pick([
    () => `Pier ${random.between(1, 94)}`,
    () => `berth ${random.between(1, 120)} in ${town(random)}`,
    () => `${surname(random)} Quay`,
    () => `the ${town(random)} marina`,
    () => `the old harbour of ${town(random)}`,
    () => `${capitalise(random.pick(list.adjectives))} ${capitalise(random.pick(list.nouns))} Wharf`,
  ])()
export const roomNumber: ValueSource = (random) =>
  random.chance(0.7)
    ? String(random.between(2, 1899))
    : `${characters(random, upper, 1)}${random.between(1, 420)}`
export const seat: ValueSource = (random) => `${random.between(1, 68)}${characters(random, 'ABCDEFGHJK', 1)}`
export const flight: ValueSource = (random) =>
  `${characters(random, upper, 2)}${random.chance(0.3) ? ' ' : ''}${random.between(12, 9899)}`
export const gate: ValueSource = (random) => `${characters(random, 'ABCDEFGH', 1)}${random.between(1, 89)}`

export const colour: ValueSource = (random) =>
  random.chance(0.45)
    ? random.pick(list.colours)
    : `${random.pick(list.colourShades)} ${random.pick(list.colours)}`
export const language: ValueSource = (random) => random.pick(list.languages)
export const job: ValueSource = (random) => random.pick(list.jobs)
export const ingredient: ValueSource = (random) =>
  random.chance(0.45)
    ? random.pick(list.foods)
    : `${random.pick(list.foodTouches)} ${random.pick(list.foods)}`
export const cargo: ValueSource = (random) =>
  random.chance(0.25)
    ? random.pick(list.cargoes)
    : `${grouped(random.between(3, 4900))} ${random.pick(['tonnes', 'crates', 'sacks', 'barrels', 'pallets'])} of ${random.pick(list.cargoes)}`
export const instrument: ValueSource = (random) => random.pick(list.instruments)
export const title: ValueSource = (random) => {
  const one = capitalise(random.pick(list.adjectives))
  const two = capitalise(random.pick(list.nouns))
  switch (random.int(6)) {
    case 0:
      return `The ${one} ${two}`
    case 1:
      return `${one} ${plural(two)}`
    case 2:
      return `The ${two} of ${townName(random)}`
    case 3:
      return `${two} and ${capitalise(random.pick(list.plainNouns))}`
    case 4:
      return `${withIndefiniteArticle(two)} for ${firstName(random)}`
    default:
      return `${one} ${two}`
  }
}
export const codename: ValueSource = (random) =>
  random.chance(0.5)
    ? `${capitalise(random.pick(list.adjectives))} ${capitalise(random.pick(list.nouns))}`
    : brandName(random)
export const petName: ValueSource = (random) =>
  random.chance(0.5)
    ? capitalise(random.pick(list.plainNouns))
    : capitalise(`${random.pick(list.syllables)}${random.pick(['o', 'y', 'ie', 'a', 'us', 'ka'])}`)
export const brand: ValueSource = brandName
/** RULER's kinds: 7 digits, adjective-noun, UUID. */
export const magicNumber: ValueSource = (random) => String(random.between(1_000_000, 9_999_999))
export const magicWord: ValueSource = (random) => `${random.pick(list.adjectives)}-${random.pick(list.nouns)}`
export const riverName: ValueSource = (random) =>
  random.chance(0.7)
    ? capitalise(
        `${random.pick(list.syllables)}${random.pick(['a', 'e', 'en', 'ine', 'ow', 'ish', 'une', 'aven', 'ell', 'ith', 'orne', 'ura'])}`,
      )
    : `${capitalise(random.pick(list.adjectives))} ${random.pick(['Brook', 'Water', 'Creek', 'Beck', 'Stream'])}`
export const limit: ValueSource = (random) =>
  `${random.between(2, 900)} ${random.pick(['seconds', 'milliseconds', 'minutes', 'ms', 's'])}`
export const cookingTime: ValueSource = (random) =>
  random.chance(0.7)
    ? `${random.between(3, 240)} minutes`
    : `${random.between(2, 60)} ${random.pick(['hours', 'days'])}`
export const smallWeight: ValueSource = (random) =>
  `${random.chance(0.4) ? `${random.between(1, 60)}.${random.between(1, 9)}` : random.between(2, 950)} ${random.pick(['kilograms', 'kg', 'pounds', 'kilos', 'grams', 'ounces'])}`
