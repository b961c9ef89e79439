/** Values that are codes or addresses: characters drawn one by one, or words joined by signs. */
import type { Random } from '../random.ts'
import { capitalise } from './grammar.ts'
import type { ValueSource } from './kind.ts'
import { brandName, firstName, surname } from './name-parts.ts'
import * as list from './words.ts'

const digits = (random: Random, count: number): string =>
  Array.from({ length: count }, (_, i) => (i === 0 ? random.between(1, 9) : random.int(10))).join('')
/** `count` characters of the alphabet, drawn one by one. */
export const characters = (random: Random, alphabet: string, count: number): string =>
  Array.from({ length: count }, () => alphabet.charAt(random.int(alphabet.length))).join('')
/** Capital letters without I and O, which read like digits. */
export const upper = 'ABCDEFGHJKLMNPQRSTUVWXYZ'
const lower = 'abcdefghijkmnopqrstuvwxyz'
const hex = '0123456789abcdef'
const slug = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')

export const accessCode: ValueSource = (random) => {
  switch (random.int(6)) {
    case 0:
      return digits(random, random.between(4, 8))
    case 1:
      return `${characters(random, upper, 2)}-${digits(random, 4)}`
    case 2:
      return `${characters(random, upper, 1)}${digits(random, 3)}${characters(random, upper, 1)}`
    case 3:
      return `${digits(random, 3)}-${digits(random, 3)}`
    case 4:
      return `${random.pick(list.nouns).toUpperCase()}-${digits(random, 2)}`
    default:
      return digits(random, 4)
  }
}
export const serial: ValueSource = (random) => {
  switch (random.int(4)) {
    case 0:
      return `${characters(random, upper, 3)}-${digits(random, 5)}`
    case 1:
      return `${digits(random, 2)}${characters(random, upper, 2)}${digits(random, 6)}`
    case 2:
      return `SN${digits(random, 8)}`
    default:
      return `${characters(random, upper, 2)}-${digits(random, 3)}-${characters(random, upper, 2)}${digits(random, 2)}`
  }
}
export const licenceNumber: ValueSource = (random) =>
  random.pick([
    () => `${characters(random, upper, 2)} ${digits(random, 6)}`,
    () => `${characters(random, upper, 1)}${digits(random, 7)}`,
    () => `${digits(random, 2)}/${digits(random, 5)}`,
    () => `${characters(random, upper, 3)} ${digits(random, 3)} ${characters(random, upper, 1)}`,
  ])()
export const phone: ValueSource = (random) =>
  random.pick([
    () => `${digits(random, 3)}-${digits(random, 4)}`,
    () => `+${random.between(20, 98)} ${digits(random, 3)} ${digits(random, 6)}`,
    () => `(${digits(random, 3)}) ${digits(random, 3)}-${digits(random, 4)}`,
    () => `0${digits(random, 3)} ${digits(random, 6)}`,
    () => `${digits(random, 3)} ${digits(random, 2)} ${digits(random, 2)} ${digits(random, 2)}`,
  ])()
export const version: ValueSource = (random) => {
  const base = `${random.int(24)}.${random.int(40)}.${random.int(60)}`
  switch (random.int(5)) {
    case 0:
      return `v${base}`
    case 1:
      return `${base}-${random.pick(['rc', 'beta', 'alpha'])}.${random.between(1, 9)}`
    case 2:
      return `${random.between(2010, 2031)}.${random.between(1, 12)}`
    default:
      return base
  }
}
export const port: ValueSource = (random) => String(random.between(1025, 65_500))
export const password: ValueSource = (random) =>
  random.pick([
    () => `${random.pick(list.nouns)}-${random.pick(list.nouns)}-${digits(random, 2)}`,
    () => characters(random, `${lower}${upper}23456789`, random.between(8, 14)),
    () => `${capitalise(random.pick(list.nouns))}${digits(random, 4)}${random.pick(['!', '#', '$', '_'])}`,
    () => `${random.pick(list.adjectives)}${capitalise(random.pick(list.nouns))}${digits(random, 3)}`,
  ])()
export const token: ValueSource = (random) =>
  random.pick([
    () => `${random.pick(['tok', 'key', 'sk', 'pat'])}_${characters(random, `${hex}`, 16)}`,
    () => characters(random, hex, random.between(10, 20)),
    () => `${characters(random, upper, 4)}-${characters(random, upper, 4)}-${digits(random, 4)}`,
  ])()
export const uuid: ValueSource = (random) =>
  `${characters(random, hex, 8)}-${characters(random, hex, 4)}-4${characters(random, hex, 3)}-${characters(random, '89ab', 1)}${characters(random, hex, 3)}-${characters(random, hex, 12)}`
const topLevel = ['com', 'org', 'net', 'io', 'eu', 'example', 'co.uk', 'no', 'de', 'info']
export const host: ValueSource = (random) =>
  random.chance(0.3)
    ? `10.${random.int(256)}.${random.int(256)}.${random.between(1, 254)}`
    : `${random.pick(list.serviceNames)}${random.between(1, 40)}.${slug(brandName(random))}.${random.pick([...topLevel, 'internal', 'local'])}`
export const webAddress: ValueSource = (random) => {
  const domain = `${slug(brandName(random))}${random.chance(0.3) ? `-${random.pick(list.nouns)}` : ''}.${random.pick(topLevel)}`
  const path = random.chance(0.4) ? `/${random.pick(list.nouns)}` : ''
  return random.pick([`https://${domain}${path}`, `www.${domain}${path}`, `${domain}${path}`])
}
export const email: ValueSource = (random) => {
  const local = random.pick([
    () => `${slug(firstName(random))}.${slug(surname(random))}`,
    () => `${slug(firstName(random))}${random.between(2, 99)}`,
    () => `${random.pick(['info', 'help', 'office', 'desk', 'team', 'hello'])}.${random.pick(list.nouns)}`,
    () => `${random.pick(list.adjectives)}.${random.pick(list.nouns)}`,
  ])()
  return `${local}@${slug(brandName(random))}.${random.pick(topLevel)}`
}
