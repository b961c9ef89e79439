/** The lists of `meanings.ts` by word. Words are compared by their key: a stem, or that of an irregular verb's first form. */
import { termOf } from '../../retrieval/search-terms.ts'
import * as meanings from './meanings.ts'

const rows = (table: string): string[][] =>
  table
    .trim()
    .split(/[|\n]/)
    .map((row) => row.trim().split(/\s+/))
    .filter((row) => row[0] !== '')

const listed = (table: string): ReadonlySet<string> => new Set(table.trim().split(/\s+/))

const firstForms = new Map(
  rows(meanings.irregularForms).flatMap(([first, ...forms]) => forms.map((form) => [form, first!])),
)

/** By which a word is compared with another one. */
export function keyOf(word: string): string {
  const bare = word.replace(/['’](?:s|S)$/, '')
  const first = firstForms.get(bare) ?? bare
  return termOf(first) ?? first
}

const groupsOf = (table: string): ReadonlyMap<string, ReadonlySet<number>> => {
  const groups = new Map<string, Set<number>>()
  for (const [group, words] of rows(table).entries()) {
    for (const word of words.map(keyOf)) groups.set(word, (groups.get(word) ?? new Set()).add(group))
  }
  return groups
}

const sharesGroup = (table: string): ((one: string, other: string) => boolean) => {
  const groups = groupsOf(table)
  return (one, other) => {
    const [of, also] = [groups.get(one), groups.get(other)]
    return of !== undefined && also !== undefined && one !== other && [...of].some((group) => also.has(group))
  }
}

export const areSynonyms = sharesGroup(meanings.synonyms)
export const areOpposites = sharesGroup(meanings.opposites)
export const areConverse = sharesGroup(meanings.converses)
export const areOpposedPrepositions = sharesGroup(meanings.opposedPrepositions)

const synonymGroups = groupsOf(meanings.synonyms)
const oppositeGroups = groupsOf(meanings.opposites)
const converseGroups = groupsOf(meanings.converses)

/** Keys by which to look a word up among others: its own, and one for each group that it is in. */
export const lookupKeys = (key: string): string[] => [
  key,
  ...[...(synonymGroups.get(key) ?? [])].map((group) => `=${group}`),
  ...[...(oppositeGroups.get(key) ?? [])].map((group) => `#${group}`),
  ...[...(converseGroups.get(key) ?? [])].map((group) => `~${group}`),
]

const functionWords = listed(meanings.functionWords)
const negators = listed(meanings.negators)
const prepositions = listed(meanings.prepositions)
const pronouns = listed(meanings.pronouns)

export const isPreposition = (word: string): boolean => prepositions.has(word)
export const isPronoun = (word: string): boolean => pronouns.has(word)
export const isNegator = (word: string): boolean =>
  negators.has(word) || word.endsWith("n't") || word.endsWith('n’t')
export const isFunctionWord = (word: string): boolean =>
  functionWords.has(word) || termOf(word) === undefined || isNegator(word)

const verbForms = new Set([...firstForms.keys(), ...firstForms.values()])
/** Looks like a verb. */
export const isVerbal = (word: string): boolean =>
  verbForms.has(word) || (word.length > 4 && word.endsWith('ed'))
