/**
 * The words that RULER draws keys and lists from: those of wonderwords (MIT) and, for long lists, 370,000 English words. This
 * package does not contain them: pass their path, or it uses its own words and the package word-list (MIT).
 */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { TaskError } from '@memagent/core'
import { z } from 'zod'
import { wordsOf } from '../facts/words.ts'
import { readJson, readText } from '../rows/read-file.ts'

export interface WordLists {
  readonly adjectives: readonly string[]
  readonly nouns: readonly string[]
  /** Adjectives, nouns and others, each once; used for lists of moderate length. */
  readonly ordinary: readonly string[]
  /** Many more words, for long lists; read on first use. */
  readonly large: () => Promise<readonly string[]>
  /** How these differ from RULER's lists, if they do. */
  readonly deviation: string | undefined
}

const isPlainWord = (word: string): boolean => /^[a-z]{2,}$/.test(word)
const once = (...lists: readonly (readonly string[])[]): string[] => [...new Set(lists.flat())]

const adjectiveLists = ['adjective', 'colour', 'preparation']
const things = ['noun', 'plainNoun', 'building', 'event', 'machine', 'job', 'food', 'dish']
const nounLists = [...things, 'cargo', 'instrument', 'keepsake']

/** This package's own words, and those of word-list. */
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
 * `nounlist.txt`, `adjectivelist.txt` and `verblist.txt` of wonderwords, one word per line, and, needed only for long lists,
 * RULER's `english_words.json`, an object whose values are words.
 * @throws TaskError if a file cannot be read or has no words
 */
export async function readWordLists(folder: string): Promise<WordLists> {
  const read = async (file: string): Promise<readonly string[]> => {
    const path = join(folder, file)
    return someOf(path, linesOf(await readText(path, hint)))
  }
  const [nouns, adjectives] = [await read('nounlist.txt'), await read('adjectivelist.txt')]
  return {
    adjectives,
    nouns,
    ordinary: once(nouns, adjectives, await read('verblist.txt')),
    large: readOnce(async () => {
      const path = join(folder, 'english_words.json')
      return someOf(path, Object.values(await readJson(path, z.record(z.string(), z.string()), hint)))
    }),
    deviation: undefined,
  }
}

const hint =
  "The folder holds wonderwords' nounlist.txt, adjectivelist.txt and verblist.txt and, for long lists, RULER's english_words.json."

function someOf(path: string, words: readonly string[]): readonly string[] {
  const found = once(words.filter((word) => word !== ''))
  if (found.length > 0) return found
  throw new TaskError({
    code: 'task/no-words',
    message: `there are no words in ${path}`,
    hint,
    details: { path },
  })
}

const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')

function readOnce<T>(read: () => Promise<T>): () => Promise<T> {
  let reading: Promise<T> | undefined
  return () => {
    reading ??= read()
    return reading
  }
}
