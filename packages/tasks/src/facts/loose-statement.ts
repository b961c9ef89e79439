/**
 * Statements whose words are partly or wholly replaced by others: what remains is a subject and a value near each
 * other. A reader that learns from a few hundred templates learns their words; one that also learns from these
 * must go by the name and the kind of value that the question wants, and so reads sentences it was never taught.
 */
import type { Random } from '../random.ts'

/** A fact and a statement of it. */
interface Told {
  readonly subject: string
  readonly value: string
  readonly statement: string
  /** In UTF-16 code units. */
  readonly valueStart: number
}

/** Shares of a statement to replace, from a word here and there to everything. */
const shares = [0.15, 0.35, 0.6, 1]

/** The fact in another wording with these words; the value is unchanged. */
export function loosen<Fact extends Told>(fact: Fact, words: readonly string[], random: Random): Fact {
  if (random.chance(0.3)) return assemble(fact, words, random)
  const share = random.pick(shares)
  const before = fact.statement.slice(0, fact.valueStart)
  const after = fact.statement.slice(fact.valueStart + fact.value.length)
  const subjectWords = new Set(wordsOf(fact.subject))
  const replaceWords = (text: string) =>
    text.replace(/\p{L}[\p{L}'-]*/gu, (word) => {
      if (subjectWords.has(withoutPossessive(word)) || random.next() >= share) return word
      return random.chance(0.15) ? '' : inCaseOf(word, random.pick(words))
    })
  // A name written as one word (`blue_harbor`) would be torn apart.
  const isWhole = [...subjectWords].every((word) => wordsOf(before + after).includes(word))
  if (!isWhole) return fact
  const start = replaceWords(before).replace(/ {2,}/g, ' ').trimStart()
  return restate(fact, start, replaceWords(after).replace(/ {2,}/g, ' ').trimEnd())
}

/** Shares of a question to replace. */
const questionShares = [0.15, 0.3, 0.6, 1]

/** The question with some or all words replaced. Its subject is unchanged, so only the name shows what is asked. */
export function loosenQuestion(
  question: string,
  subject: string,
  words: readonly string[],
  random: Random,
): string {
  const subjectWords = new Set(wordsOf(subject))
  const share = random.pick(questionShares)
  return question.replace(/\p{L}[\p{L}'-]*/gu, (word) =>
    subjectWords.has(withoutPossessive(word)) || random.next() >= share
      ? word
      : inCaseOf(word, random.pick(words)),
  )
}

/** Subject and value in either order among a few random words. */
function assemble<Fact extends Told>(fact: Fact, words: readonly string[], random: Random): Fact {
  const some = (most: number) =>
    Array.from({ length: random.int(most + 1) }, () => random.pick(words).toLowerCase()).join(' ')
  const lead = some(4)
  const between = random.chance(0.15)
    ? random.pick([':', ' =', ' -', ' |', ',', ' ('])
    : [random.chance(0.2) ? ',' : '', some(5)].join(' ').trimEnd()
  const tail = `${random.chance(0.5) ? ` ${some(4)}`.trimEnd() : ''}.`
  const isSubjectFirst = random.chance(0.5)
  const space = (text: string) => (text === '' || /\s$/.test(text) ? text : `${text} `)
  return isSubjectFirst
    ? restate(fact, space(`${space(lead)}${fact.subject}${glue(between)}`), tail)
    : restate(fact, space(lead), `${glue(between)} ${fact.subject}${tail}`)
}

const glue = (between: string) => (/^[:,\s]/.test(between) || between === '' ? between : ` ${between}`)

function restate<Fact extends Told>(fact: Fact, before: string, after: string): Fact {
  return { ...fact, statement: before + fact.value + after, valueStart: before.length }
}

const wordsOf = (text: string): string[] =>
  [...text.matchAll(/\p{L}[\p{L}'-]*/gu)].map(([word]) => withoutPossessive(word))

export const withoutPossessive = (word: string): string => word.toLowerCase().replace(/['’]s?$/u, '')

/** The word, capitalized if the model is. */
export const inCaseOf = (model: string, word: string): string =>
  /^\p{Lu}/u.test(model) ? word.charAt(0).toUpperCase() + word.slice(1) : word.toLowerCase()
