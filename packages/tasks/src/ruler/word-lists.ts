/**
 * The words that RULER draws keys and lists from: those of wonderwords (MIT) and, for long lists, 370,000 English words.
 * They are not part of this package: given by path they are used, else our own words and the package word-list (MIT).
 */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { TaskError } from '@memagent/core'
import { type WordList, wordsOf } from '../facts/words.ts'

export interface WordLists {
  readonly adjectives: readonly string[]
  readonly nouns: readonly string[]
  /** Adjectives, nouns and others, each once: what word lists of a moderate length are drawn from. */
  readonly ordinary: readonly string[]
  /** Many more, for long lists. Read when first asked for. */
  readonly large: () => Promise<readonly string[]>
  /** Where these are not RULER's lists. */
  readonly deviation: string | undefined
}

const isPlainWord = (word: string): boolean => /^[a-z]{2,}$/.test(word)
const once = (...lists: readonly (readonly string[])[]): string[] => [...new Set(lists.flat())]

const adjectiveLists: readonly WordList[] = ['adjective', 'colour', 'preparation']
const things: readonly WordList[] = [
  'noun',
  'plainNoun',
  'building',
  'event',
  'machine',
  'job',
  'food',
  'dish',
]
const nounLists: readonly WordList[] = [...things, 'cargo', 'instrument', 'keepsake']

/** Our own words, and those of word-list. */
export function ownWordLists(): WordLists {
  const adjectives = once(...adjectiveLists.map(wordsOf)).filter(isPlainWord)
  const nouns = once(...nounLists.map(wordsOf)).filter(isPlainWord)
  return {
    adjectives,
    nouns,
    ordinary: once(adjectives, nouns, wordsOf('serviceType'), wordsOf('serviceName')).filter(isPlainWord),
    large: readOnce(async () => {
      const { default: path } = await import('word-list')
      return linesOf(await readFile(path, 'utf8'))
    }),
    deviation: 'words from other lists than those of wonderwords',
  }
}

/**
 * `nounlist.txt`, `adjectivelist.txt` and `verblist.txt` of wonderwords, a word a line, and RULER's `english_words.json`, an
 * object whose values are words, which is wanted for long lists only.
 * @throws TaskError when a file cannot be read or holds no words
 */
export async function readWordLists(folder: string): Promise<WordLists> {
  const [nouns, adjectives, verbs] = await Promise.all(
    ['nounlist.txt', 'adjectivelist.txt', 'verblist.txt'].map((file) =>
      readWords(join(folder, file), linesOf),
    ),
  )
  return {
    adjectives: adjectives!,
    nouns: nouns!,
    ordinary: once(nouns!, adjectives!, verbs!),
    large: readOnce(() => readWords(join(folder, 'english_words.json'), valuesOf)),
    deviation: undefined,
  }
}

async function readWords(path: string, parse: (text: string) => string[]): Promise<readonly string[]> {
  let words: string[]
  try {
    words = once(parse((await readFile(path, 'utf8')).replace(/^\uFEFF/, '')))
  } catch (cause) {
    throw new TaskError({
      code: 'task/unreadable-words',
      message: `cannot read words from ${path}`,
      hint: "The folder holds wonderwords' nounlist.txt, adjectivelist.txt and verblist.txt and, for long lists, RULER's english_words.json.",
      cause,
      details: { path },
    })
  }
  if (words.length === 0) {
    throw new TaskError({
      code: 'task/no-words',
      message: `there are no words in ${path}`,
      details: { path },
    })
  }
  return words
}

const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')

const valuesOf = (text: string): string[] =>
  Object.values(JSON.parse(text) as object).filter(
    (word): word is string => typeof word === 'string' && word !== '',
  )

function readOnce<T>(read: () => Promise<T>): () => Promise<T> {
  let reading: Promise<T> | undefined
  return () => {
    reading ??= read()
    return reading
  }
}
