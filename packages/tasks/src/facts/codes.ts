/** Values of facts that are codes or addresses. Every exported function is a type of value, by its name. */
import { characters, digits, upper } from './characters.ts'
import { capitalise } from './grammar.ts'
import { brandName, firstName, surname } from './name-parts.ts'
import { type DrawText, drawWord } from './words.ts'

const lower = 'abcdefghijkmnopqrstuvwxyz'
const hex = '0123456789abcdef'
const slug = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')

export const accessCode: DrawText = (random) => {
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
      return `${drawWord(random, 'noun').toUpperCase()}-${digits(random, 2)}`
    default:
      return digits(random, 4)
  }
}
export const serial: DrawText = (random) => {
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
export const licenceNumber: DrawText = (random) =>
  random.pick([
    () => `${characters(random, upper, 2)} ${digits(random, 6)}`,
    () => `${characters(random, upper, 1)}${digits(random, 7)}`,
    () => `${digits(random, 2)}/${digits(random, 5)}`,
    () => `${characters(random, upper, 3)} ${digits(random, 3)} ${characters(random, upper, 1)}`,
  ])()
export const phone: DrawText = (random) =>
  random.pick([
    () => `${digits(random, 3)}-${digits(random, 4)}`,
    () => `+${random.between(20, 98)} ${digits(random, 3)} ${digits(random, 6)}`,
    () => `(${digits(random, 3)}) ${digits(random, 3)}-${digits(random, 4)}`,
    () => `0${digits(random, 3)} ${digits(random, 6)}`,
    () => `${digits(random, 3)} ${digits(random, 2)} ${digits(random, 2)} ${digits(random, 2)}`,
  ])()
export const version: DrawText = (random) => {
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
export const password: DrawText = (random) =>
  random.pick([
    () => `${drawWord(random, 'noun')}-${drawWord(random, 'noun')}-${digits(random, 2)}`,
    () => characters(random, `${lower}${upper}23456789`, random.between(8, 14)),
    () => `${capitalise(drawWord(random, 'noun'))}${digits(random, 4)}${random.pick(['!', '#', '$', '_'])}`,
    () => `${drawWord(random, 'adjective')}${capitalise(drawWord(random, 'noun'))}${digits(random, 3)}`,
  ])()
export const token: DrawText = (random) =>
  random.pick([
    () => `${random.pick(['tok', 'key', 'sk', 'pat'])}_${characters(random, `${hex}`, 16)}`,
    () => characters(random, hex, random.between(10, 20)),
    () => `${characters(random, upper, 4)}-${characters(random, upper, 4)}-${digits(random, 4)}`,
  ])()
export const uuid: DrawText = (random) =>
  `${characters(random, hex, 8)}-${characters(random, hex, 4)}-4${characters(random, hex, 3)}-${characters(random, '89ab', 1)}${characters(random, hex, 3)}-${characters(random, hex, 12)}`
const topLevel = ['com', 'org', 'net', 'io', 'eu', 'example', 'co.uk', 'no', 'de', 'info']
export const host: DrawText = (random) =>
  random.chance(0.3)
    ? `10.${random.int(256)}.${random.int(256)}.${random.between(1, 254)}`
    : `${drawWord(random, 'serviceName')}${random.between(1, 40)}.${slug(brandName(random))}.${random.pick([...topLevel, 'internal', 'local'])}`
export const webAddress: DrawText = (random) => {
  const domain = `${slug(brandName(random))}${random.chance(0.3) ? `-${drawWord(random, 'noun')}` : ''}.${random.pick(topLevel)}`
  const path = random.chance(0.4) ? `/${drawWord(random, 'noun')}` : ''
  return random.pick([`https://${domain}${path}`, `www.${domain}${path}`, `${domain}${path}`])
}
export const email: DrawText = (random) => {
  const local = random.pick([
    () => `${slug(firstName(random))}.${slug(surname(random))}`,
    () => `${slug(firstName(random))}${random.between(2, 99)}`,
    () => `${random.pick(['info', 'help', 'office', 'desk', 'team', 'hello'])}.${drawWord(random, 'noun')}`,
    () => `${drawWord(random, 'adjective')}.${drawWord(random, 'noun')}`,
  ])()
  return `${local}@${slug(brandName(random))}.${random.pick(topLevel)}`
}
