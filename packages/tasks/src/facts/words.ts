/** Words that names and values are composed from. */
import { z } from 'zod'
import { lazy, loadData, words } from '../data/load-data.ts'
import type { Random } from '../random.ts'

/** Draws a text: a value, a name or a part of one. */
export type DrawText = (random: Random) => string

const people = ['womansName', 'mansName', 'knownSurname', 'surnameEnding', 'job', 'language'] as const
const places = ['townEnding', 'realTown', 'building', 'event'] as const
const things = ['machine', 'keepsake', 'instrument', 'workOfArt', 'serviceType', 'serviceName'] as const
const goods = ['food', 'preparation', 'dish', 'cargo', 'colour', 'shade'] as const
const others = ['syllable', 'adjective', 'noun', 'plainNoun', 'month', 'weekday'] as const
const names = [...people, ...places, ...things, ...goods, ...others] as const

/** A list of `data/facts/words.yaml`. */
export type WordList = (typeof names)[number]

const lists = lazy(() => loadData('facts/words.yaml', z.record(z.enum(names), words)))

export const isWordList = (name: string): name is WordList => (names as readonly string[]).includes(name)

export const wordsOf = (list: WordList): readonly string[] => lists()[list]

export const drawWord = (random: Random, list: WordList): string => random.pick(lists()[list])
