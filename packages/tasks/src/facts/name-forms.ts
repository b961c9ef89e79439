/** The forms that names of each class of subject take. */
import type { Random } from '../random.ts'
import { capitalise, plural, withIndefiniteArticle } from './grammar.ts'
import { brandName, firstName, surname, townName } from './name-parts.ts'
import * as list from './words.ts'

export type NamePart = string | ((random: Random) => string)

/** Parts in order, put together without anything between them. Text parts are the same in every name. */
export type NameForm = readonly NamePart[]

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
