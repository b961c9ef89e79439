/**
 * Names of invented people, places, firms, ships and things. A name remembers the parts it was composed from, so that a
 * sibling (Blue Harbor warehouse / Blue Harbor marina) can share some of them.
 */
import type { Random } from '../random.ts'
import { plural, withIndefiniteArticle } from './grammar.ts'
import * as list from './words.ts'

export type NamePart = string | ((random: Random) => string)

/** Parts in order, put together without anything between them. Text parts are the same in every name. */
export type NameForm = readonly NamePart[]

export interface Name {
  /** As it stands inside a sentence: `the Blue Harbor warehouse`, `Anna Mott`. */
  readonly text: string
  readonly parts: readonly string[]
  readonly form: NameForm
}

/** What a fact can be about. */
export type SubjectClass =
  | 'person'
  | 'town'
  | 'building'
  | 'ship'
  | 'firm'
  | 'service'
  | 'machine'
  | 'project'
  | 'event'
  | 'work'
  | 'dish'
  | 'order'
  | 'keepsake'
  | 'key'

export const capitalise = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

export function drawName(random: Random, subjectClass: SubjectClass): Name {
  const form = random.pick(nameForms[subjectClass])
  return compose(form, partsOf(random, form))
}

/** A name of the same form that shares some part, but not all, with the given one where its form has two or more parts. */
export function drawSibling(random: Random, name: Name): Name {
  const other = partsOf(random, name.form)
  const free = name.form.flatMap((part, i) => (typeof part === 'string' ? [] : [i]))
  const kept = random.pick(free)
  const changed = random.pick(free.filter((i) => i !== kept || free.length === 1))
  return compose(
    name.form,
    name.parts.map((part, i) =>
      i === changed ? other[i]! : i === kept || random.chance(0.6) ? part : other[i]!,
    ),
  )
}

const compose = (form: NameForm, parts: readonly string[]): Name => ({ text: parts.join(''), parts, form })
const partsOf = (random: Random, form: NameForm): string[] =>
  form.map((part) => (typeof part === 'string' ? part : part(random)))

const from =
  (items: readonly string[]) =>
  (random: Random): string =>
    random.pick(items)
const capitalFrom =
  (items: readonly string[]) =>
  (random: Random): string =>
    capitalise(random.pick(items))
const numberBetween =
  (low: number, high: number) =>
  (random: Random): string =>
    String(random.between(low, high))
const letter = (random: Random): string => 'ABCDEFGHJKLMNPRSTUVWX'.charAt(random.int(21))

export const firstName = from(list.firstNames)
export function surname(random: Random): string {
  if (random.chance(0.55)) {
    return random.pick(list.surnames)
  }
  const middle = random.chance(0.35) ? random.pick(list.syllables) : ''
  return capitalise(random.pick(list.syllables) + middle + random.pick(list.surnameEndings))
}
export function townName(random: Random): string {
  if (random.chance(0.3)) {
    return random.pick(list.realTowns)
  }
  const middle = random.chance(0.25) ? random.pick(list.syllables) : ''
  const town = capitalise(random.pick(list.syllables) + middle + random.pick(list.townEndings))
  return random.chance(0.08)
    ? `${random.pick(['North', 'South', 'East', 'West', 'Upper', 'Lower', 'New', 'Port'])} ${town}`
    : town
}
/** An invented brand: `Kelvora`, `Brightwater`. */
export function brandName(random: Random): string {
  if (random.chance(0.4)) {
    return capitalise(random.pick(list.adjectives) + random.pick(list.nouns))
  }
  return capitalise(
    random.pick(list.syllables) +
      random.pick(list.syllables) +
      random.pick(['a', 'o', 'ix', 'is', 'um', 'en', 'ex']),
  )
}
export const personName = (random: Random): string => `${firstName(random)} ${surname(random)}`

const adjective = capitalFrom(list.adjectives)
const noun = capitalFrom(list.nouns)
const pluralNoun = (random: Random): string => plural(noun(random))
const someNoun = (random: Random): string => withIndefiniteArticle(noun(random))
const buildingType = from(list.buildingTypes)
const eventType = from(list.eventTypes)
const workType = from([
  'novel',
  'painting',
  'song',
  'symphony',
  'play',
  'poem',
  'opera',
  'short story',
  'mural',
  'ballad',
])

export const nameForms: Readonly<Record<SubjectClass, readonly NameForm[]>> = {
  person: [
    [firstName, ' ', surname],
    [firstName, ' ', surname],
    [firstName, ' ', surname],
    [firstName, ' ', letter, '. ', surname],
    [from(['Dr. ', 'Professor ', 'Captain ', 'Sister ', 'Judge ', 'Inspector ', 'Senator ']), surname],
    [firstName, ' ', surname, '-', surname],
  ],
  town: [[townName]],
  building: [
    ['the ', adjective, ' ', noun, ' ', buildingType],
    ['the ', townName, ' ', buildingType],
    ['the ', buildingType, ' in ', townName],
    ['the ', surname, ' ', buildingType],
    [
      'the ',
      buildingType,
      ' on ',
      surname,
      ' ',
      from(['Street', 'Road', 'Lane', 'Avenue', 'Hill', 'Square']),
    ],
    ['the ', from(['old', 'new', 'north', 'south', 'east', 'west']), ' ', buildingType, ' of ', townName],
    [adjective, ' ', noun, ' ', from(['House', 'Hall', 'Lodge', 'Tower', 'Court', 'Manor'])],
  ],
  ship: [
    ['the ', adjective, ' ', noun],
    [
      'the ',
      from(['ferry', 'trawler', 'schooner', 'freighter', 'tanker', 'yacht', 'barge']),
      ' ',
      adjective,
      ' ',
      noun,
    ],
    ['the ', from(['MV', 'SS', 'HMS']), ' ', brandName],
    [
      'the ',
      from(['ferry', 'trawler', 'schooner', 'freighter', 'cutter', 'tug']),
      ' ',
      firstName,
      ' ',
      surname,
    ],
    ['the ', noun, ' of ', townName],
  ],
  firm: [
    [surname, ' & ', surname],
    [
      brandName,
      ' ',
      from([
        'Logistics',
        'Systems',
        'Foods',
        'Textiles',
        'Energy',
        'Instruments',
        'Optics',
        'Shipping',
        'Robotics',
      ]),
    ],
    [
      surname,
      ' ',
      from(['Brothers', 'Partners', 'Holdings', 'Group', 'Consulting', 'Publishing', 'Motors', 'Pharma']),
    ],
    [brandName, ' ', from(['Ltd', 'Inc.', 'GmbH', 'AB', 'S.A.', 'Corporation'])],
    [
      adjective,
      ' ',
      noun,
      ' ',
      from(['Bank', 'Insurance', 'Records', 'Press', 'Coffee', 'Airlines', 'Software', 'Labs']),
    ],
    [
      townName,
      ' ',
      from(['Steel', 'Water Works', 'Savings Bank', 'Tramways', 'Cement', 'Electric', 'Paper Mills']),
    ],
  ],
  service: [
    ['the ', from(list.serviceNames), ' ', from(list.serviceTypes)],
    ['the ', from(list.serviceNames), '-', from(list.serviceTypes), '-', numberBetween(1, 99)],
    [from(list.adjectives), '-', from(list.nouns)],
    [
      'the ',
      from(['staging', 'production', 'test', 'backup', 'internal', 'legacy']),
      ' ',
      from(list.serviceNames),
      ' ',
      from(list.serviceTypes),
    ],
    ['the ', brandName, ' ', from(list.serviceTypes)],
    [
      from(list.nouns),
      from(['d', 'ctl', 'kit', 'js', 'db', 'mq', 'lib', 'base']),
      '-',
      from(list.serviceNames),
    ],
  ],
  machine: [
    ['the ', brandName, ' ', from(list.machineTypes)],
    ['the ', brandName, ' ', letter, numberBetween(2, 990), ' ', from(list.machineTypes)],
    ['the ', from(list.colours), ' ', from(list.machineTypes), ' from ', townName],
    ['the ', surname, ' ', from(list.machineTypes), ' in hall ', numberBetween(1, 60)],
    ['the ', adjective, ' ', noun, ' ', from(list.machineTypes)],
  ],
  project: [
    ['Project ', adjective, ' ', noun],
    ['Project ', brandName],
    ['Operation ', adjective, ' ', noun],
    [
      'the ',
      townName,
      ' ',
      from([
        'harbour expansion',
        'bypass',
        'tunnel',
        'tram line',
        'flood barrier',
        'wind farm',
        'bridge repair',
      ]),
    ],
    [
      'the ',
      surname,
      ' ',
      from(['survey', 'expedition', 'inquiry', 'restoration', 'excavation', 'study', 'trial', 'merger']),
    ],
    [
      'the ',
      adjective,
      ' ',
      noun,
      ' ',
      from(['initiative', 'programme', 'campaign', 'migration', 'rollout', 'audit']),
    ],
  ],
  event: [
    ['the ', townName, ' ', eventType],
    ['the ', adjective, ' ', noun, ' ', eventType],
    ['the ', surname, ' ', eventType],
    [
      'the ',
      from(['fourth', 'seventh', 'tenth', '12th', '18th', '25th', '30th', '47th']),
      ' ',
      townName,
      ' ',
      eventType,
    ],
    ['the ', brandName, ' ', eventType],
  ],
  work: [
    ['the ', workType, ' "The ', adjective, ' ', noun, '"'],
    ['the ', workType, ' "', adjective, ' ', pluralNoun, '"'],
    ['the ', workType, ' "The ', noun, ' of ', townName, '"'],
    ['the ', workType, ' "', noun, ' and ', noun, '"'],
    ['the ', workType, ' "', someNoun, ' for ', firstName, '"'],
  ],
  dish: [
    ['the ', surname, ' family ', from(list.dishes)],
    ['the ', townName, ' ', from(list.dishes)],
    ['the ', adjective, ' ', noun, ' ', from(list.dishes)],
    ['the ', from(list.dishes), ' at ', 'the ', adjective, ' ', noun],
  ],
  order: [
    ['order ', numberBetween(1000, 99999)],
    ['order ', letter, letter, '-', numberBetween(100, 9999)],
    ['the shipment to ', townName],
    ['the parcel for ', firstName, ' ', surname],
    ['the consignment of ', from(list.cargoes), ' for ', townName],
    ['the contract with ', surname, ' & ', surname],
    ['invoice ', numberBetween(100, 9999), '/', numberBetween(10, 99)],
  ],
  keepsake: [
    ['the ', from(list.keepsakes), ' of ', firstName, ' ', surname],
    ['the ', surname, ' ', from(list.keepsakes)],
    ['the ', adjective, ' ', noun, ' ', from(list.keepsakes)],
    ['the ', from(list.keepsakes), ' from ', townName],
    ['the ', from(list.colours), ' ', from(list.keepsakes), ' of ', surname],
  ],
  key: [[from(list.adjectives), '-', from(list.nouns)]],
}
