/** Words that names and values are composed from: the lists of `data/facts/words.yaml`. */
import { TaskError } from '@memagent/core'
import { z } from 'zod'
import { lazy, loadData, words } from '../data/load-data.ts'
import type { Random } from '../random.ts'

/** Draws a text: a value, a name or a part of one. */
export type DrawText = (random: Random) => string

const lists = lazy(() => loadData('facts/words.yaml', z.record(z.string(), words)))

export const isWordList = (name: string): boolean => Object.hasOwn(lists(), name)

/** @throws TaskError for an unknown list */
export function wordsOf(list: string): readonly string[] {
  const found = lists()[list]
  if (found !== undefined) return found
  throw new TaskError({
    code: 'task/unknown-words',
    message: `There is no list of words ${list}.`,
    hint: `Lists: ${Object.keys(lists()).join(', ')}.`,
  })
}

export const drawWord = (random: Random, list: string): string => random.pick(wordsOf(list))
