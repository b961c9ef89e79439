/** Values of facts: numbers, dates, prices, names, places. Every exported function is a type of value, by its name. */
import { characters, upper } from './characters.ts'
import { capitalise, plural, withIndefiniteArticle } from './grammar.ts'
import { brandName, firstName, personName, surname, townName } from './name-parts.ts'
import { drawName } from './names.ts'
import { type DrawText, drawWord, wordsOf } from './words.ts'

const twoDigits = (n: number): string => String(n).padStart(2, '0')
const grouped = (n: number, separator = ','): string => String(n).replace(/\B(?=(\d{3})+$)/g, separator)

export const person: DrawText = personName
export const town: DrawText = townName
export const firm: DrawText = (random) => drawName(random, 'firm').text
export const building: DrawText = (random) => drawName(random, 'building').text

export const year: DrawText = (random) => String(random.between(1790, 2024))
export const date: DrawText = (random) => {
  const day = random.between(1, 28)
  const month = random.int(12)
  const name = wordsOf('month')[month]!
  const when = random.between(1890, 2035)
  switch (random.int(4)) {
    case 0:
      return `${day} ${name} ${when}`
    case 1:
      return `${name} ${day}, ${when}`
    case 2:
      return `${when}-${twoDigits(month + 1)}-${twoDigits(day)}`
    default:
      return `${day} ${name} ${when}`
  }
}
const dayOfYear: DrawText = (random) => `${random.between(1, 28)} ${drawWord(random, 'month')}`
export const appointment: DrawText = (random) =>
  random.chance(0.4) ? `${drawWord(random, 'weekday')}, ${dayOfYear(random)}` : date(random)
export const timeOfDay: DrawText = (random) => {
  const minute = twoDigits(random.int(12) * 5 + (random.chance(0.2) ? random.int(5) : 0))
  return random.chance(0.6)
    ? `${twoDigits(random.int(24))}:${minute}`
    : `${random.between(1, 12)}:${minute} ${random.pick(['am', 'pm'])}`
}

export const price: DrawText = (random) => {
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
export const bigMoney: DrawText = (random) => {
  const amount = random.chance(0.5)
    ? String(random.between(2, 980))
    : `${random.between(1, 98)}.${random.between(1, 9)}`
  const scale = random.pick(['million', 'million', 'billion', 'thousand'])
  return random.chance(0.5)
    ? `${random.pick(['$', '€', '£'])}${amount} ${scale}`
    : `${amount} ${scale} ${random.pick(['euros', 'dollars', 'pounds', 'francs', 'crowns'])}`
}
export const count: DrawText = (random) => {
  const n = random.chance(0.3) ? random.between(11, 999) : random.between(1000, 990_000)
  return random.chance(0.7) ? grouped(n) : String(n)
}
export const length: DrawText = (random) => {
  const n = random.chance(0.3)
    ? `${random.between(2, 240)}.${random.between(1, 9)}`
    : String(random.between(4, 620))
  return `${n} ${random.pick(['metres', 'meters', 'feet', 'm', 'yards'])}`
}
export const temperature: DrawText = (random) =>
  random.chance(0.6)
    ? `${random.between(31, 480)} °C`
    : `${random.between(31, 480)} degrees ${random.pick(['Celsius', 'Fahrenheit'])}`

export const streetAddress: DrawText = (random) => {
  const street = random.pick([
    () => `${surname(random)} ${random.pick(['Street', 'Road', 'Lane', 'Avenue', 'Square', 'Quay'])}`,
    () =>
      `${capitalise(drawWord(random, 'noun'))} ${random.pick(['Street', 'Road', 'Lane', 'Hill', 'Row', 'Way'])}`,
    () =>
      `${capitalise(drawWord(random, 'adjective'))} ${capitalise(drawWord(random, 'noun'))} ${random.pick(['Drive', 'Close', 'Alley'])}`,
  ])()
  return `${random.between(1, 340)} ${street}`
}
export const placeOfKeeping: DrawText = (random) =>
  random.pick([
    () =>
      `the ${drawWord(random, 'colour')} ${random.pick(['cabinet', 'chest', 'crate', 'box', 'locker', 'safe', 'trunk', 'drawer'])}`,
    () => `locker ${random.between(2, 480)}`,
    () => `the cellar of ${building(random)}`,
    () => `the attic of ${building(random)}`,
    () => `cabinet ${characters(random, upper, 1)}${random.between(1, 60)}`,
    () => `a bank vault in ${town(random)}`,
    () => `room ${random.between(2, 780)} of ${building(random)}`,
    () => building(random),
  ])()
export const roomNumber: DrawText = (random) =>
  random.chance(0.7)
    ? String(random.between(2, 1899))
    : `${characters(random, upper, 1)}${random.between(1, 420)}`
export const flight: DrawText = (random) =>
  `${characters(random, upper, 2)}${random.chance(0.3) ? ' ' : ''}${random.between(12, 9899)}`

export const colour: DrawText = (random) =>
  random.chance(0.45)
    ? drawWord(random, 'colour')
    : `${drawWord(random, 'shade')} ${drawWord(random, 'colour')}`
export const ingredient: DrawText = (random) =>
  random.chance(0.45)
    ? drawWord(random, 'food')
    : `${drawWord(random, 'preparation')} ${drawWord(random, 'food')}`
export const cargo: DrawText = (random) =>
  random.chance(0.25)
    ? drawWord(random, 'cargo')
    : `${grouped(random.between(3, 4900))} ${random.pick(['tonnes', 'crates', 'sacks', 'barrels', 'pallets'])} of ${drawWord(random, 'cargo')}`
export const title: DrawText = (random) => {
  const one = capitalise(drawWord(random, 'adjective'))
  const two = capitalise(drawWord(random, 'noun'))
  switch (random.int(6)) {
    case 0:
      return `The ${one} ${two}`
    case 1:
      return `${one} ${plural(two)}`
    case 2:
      return `The ${two} of ${townName(random)}`
    case 3:
      return `${two} and ${capitalise(drawWord(random, 'plainNoun'))}`
    case 4:
      return `${withIndefiniteArticle(two)} for ${firstName(random)}`
    default:
      return `${one} ${two}`
  }
}
export const codename: DrawText = (random) =>
  random.chance(0.5)
    ? `${capitalise(drawWord(random, 'adjective'))} ${capitalise(drawWord(random, 'noun'))}`
    : brandName(random)
export const petName: DrawText = (random) =>
  random.chance(0.5)
    ? capitalise(drawWord(random, 'plainNoun'))
    : capitalise(`${drawWord(random, 'syllable')}${random.pick(['o', 'y', 'ie', 'a', 'us', 'ka'])}`)
/** RULER's kinds: 7 digits, adjective-noun, UUID. */
export const magicNumber: DrawText = (random) => String(random.between(1_000_000, 9_999_999))
export const riverName: DrawText = (random) =>
  random.chance(0.7)
    ? capitalise(
        `${drawWord(random, 'syllable')}${random.pick(['a', 'e', 'en', 'ine', 'ow', 'ish', 'une', 'aven', 'ell', 'ith', 'orne', 'ura'])}`,
      )
    : `${capitalise(drawWord(random, 'adjective'))} ${random.pick(['Brook', 'Water', 'Creek', 'Beck', 'Stream'])}`
export const cookingTime: DrawText = (random) =>
  random.chance(0.7)
    ? `${random.between(3, 240)} minutes`
    : `${random.between(2, 60)} ${random.pick(['hours', 'days'])}`
export const smallWeight: DrawText = (random) =>
  `${random.chance(0.4) ? `${random.between(1, 60)}.${random.between(1, 9)}` : random.between(2, 950)} ${random.pick(['kilograms', 'kg', 'pounds', 'kilos', 'grams', 'ounces'])}`
