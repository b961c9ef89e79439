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

export function keyOf(word: string): string {
  const bare = word.replace(/['’](?:s|S)$/, '')
  const first = firstForms.get(bare) ?? bare
  return termOf(first) ?? first
}

type Groups = ReadonlyMap<string, ReadonlySet<number>>

function groupsOf(table: string): Groups {
  const groups = new Map<string, Set<number>>()
  for (const [group, words] of rows(table).entries()) {
    for (const word of words.map(keyOf)) groups.set(word, (groups.get(word) ?? new Set()).add(group))
  }
  return groups
}

const sharesGroup = (groups: Groups) => (one: string, other: string) => {
  const [of, also] = [groups.get(one), groups.get(other)]
  return of !== undefined && also !== undefined && one !== other && [...of].some((group) => also.has(group))
}

const synonymGroups = groupsOf(meanings.synonyms)
const oppositeGroups = groupsOf(meanings.opposites)
const converseGroups = groupsOf(meanings.converses)

export const areSynonyms = sharesGroup(synonymGroups)
export const areOpposites = sharesGroup(oppositeGroups)
export const areConverse = sharesGroup(converseGroups)
export const areOpposedPrepositions = sharesGroup(groupsOf(meanings.opposedPrepositions))

const related = new Map<string, Set<string>>()
for (const table of [meanings.synonyms, meanings.opposites, meanings.converses]) {
  for (const keys of rows(table).map((words) => words.map(keyOf)))
    for (const key of keys) related.set(key, new Set([...(related.get(key) ?? []), ...keys]))
}

/** Keys of all words that may stand for one: itself, its synonyms, opposites and converses. */
export const keysLike = (key: string): Iterable<string> => related.get(key) ?? [key]

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

const nouns = new Set(
  'child children man men woman women person people foot feet life lives wife wives'.split(' '),
)
const irregular = new Set([...firstForms].flat().filter((word) => !nouns.has(word)))
export const isVerbal = (word: string): boolean =>
  irregular.has(word) || (word.length > 4 && word.endsWith('ed'))

const auxiliaries = new Set(
  'is are was were has have had will would can could may must does did should'.split(' '),
)
export const isAuxiliary = (word: string): boolean => auxiliaries.has(word)

const pastForms = new Set(
  rows(meanings.irregularForms).flatMap(([, ...forms]) =>
    forms.filter((form) => !/ing$|s$/.test(form) && !nouns.has(form)),
  ),
)
export const isPastForm = (word: string): boolean =>
  pastForms.has(word) || (word.length > 4 && word.endsWith('ed'))
