/**
 * Statements with some words replaced, left out or surrounded by others, after easy data augmentation (arXiv 1901.11196). A
 * reader that learns from a few dozen wordings memorizes them; with noise, no sentence occurs twice.
 */
import { inCaseOf, withoutPossessive } from '../facts/loose-statement.ts'
import type { Random } from '../random.ts'
import type { PlacedStatement } from './plant-statements.ts'

/** Words that say whether something is so; without them a statement could say the opposite. */
const kept = new Set(
  (
    'no not never nobody nothing none neither nor without if unless only but would could should might may instead until before after ' +
    'nearly almost wrong false untrue correct correction again'
  ).split(' '),
)

interface Told {
  readonly statements: readonly PlacedStatement[]
  readonly question: { readonly text: string }
}

const wordPattern = /\p{L}[\p{L}\p{N}'’_-]*/gu

/**
 * Keeps names and values: capitalized words inside a sentence, words of the question, and words of any statement's value.
 * @param share of the words to replace, in all statements alike, as clean ones would stand out
 * @param words the replacements
 */
export function withWordNoise(
  { statements, question }: Told,
  share: number,
  words: readonly string[],
  random: Random,
): PlacedStatement[] {
  const named = new Set(
    [question.text, ...statements.map(({ value }) => value)]
      .flatMap((text) => text.match(wordPattern) ?? [])
      .map((word) => word.toLowerCase()),
  )
  const noisy = (text: string) =>
    text
      .replace(wordPattern, (word, at: number) => {
        const isName = /\p{Lu}|_/u.test(word) && !isStart(text, at)
        if (
          isName ||
          kept.has(word.toLowerCase()) ||
          named.has(withoutPossessive(word)) ||
          random.next() >= share
        )
          return word
        const other = random.pick(words)
        const shape = random.next()
        if (shape < 0.15) return ''
        return shape < 0.3 ? `${word} ${other.toLowerCase()}` : inCaseOf(word, other)
      })
      .replace(/ {2,}/g, ' ')
  return statements.map((told) => {
    const before = noisy(told.statement.slice(0, told.valueStart)).trimStart()
    const after = noisy(told.statement.slice(told.valueStart + told.value.length)).trimEnd()
    return { ...told, statement: before + told.value + after, valueStart: before.length }
  })
}

/** Whether a sentence may start here. */
const isStart = (text: string, at: number) => at === 0 || /[.!?:"“]\s*$/u.test(text.slice(0, at))
