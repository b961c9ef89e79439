/** The parts of names: first names, surnames, towns and brands, most of them invented from syllables. */
import { lazy } from '../data/load-data.ts'
import type { Random } from '../random.ts'
import { capitalise } from './grammar.ts'
import { drawWord, wordsOf } from './words.ts'

const firstNames = lazy(() => [...wordsOf('womansName'), ...wordsOf('mansName')])

export const firstName = (random: Random): string => random.pick(firstNames())
export function surname(random: Random): string {
  if (random.chance(0.55)) {
    return drawWord(random, 'knownSurname')
  }
  const middle = random.chance(0.35) ? drawWord(random, 'syllable') : ''
  return capitalise(drawWord(random, 'syllable') + middle + drawWord(random, 'surnameEnding'))
}
export function townName(random: Random): string {
  if (random.chance(0.3)) {
    return drawWord(random, 'realTown')
  }
  const middle = random.chance(0.25) ? drawWord(random, 'syllable') : ''
  const town = capitalise(drawWord(random, 'syllable') + middle + drawWord(random, 'townEnding'))
  return random.chance(0.08)
    ? `${random.pick(['North', 'South', 'East', 'West', 'Upper', 'Lower', 'New', 'Port'])} ${town}`
    : town
}
/** An invented brand: `Kelvora`, `Brightwater`. */
export function brandName(random: Random): string {
  if (random.chance(0.4)) {
    return capitalise(drawWord(random, 'adjective') + drawWord(random, 'noun'))
  }
  return capitalise(
    drawWord(random, 'syllable') +
      drawWord(random, 'syllable') +
      random.pick(['a', 'o', 'ix', 'is', 'um', 'en', 'ex']),
  )
}
export const personName = (random: Random): string => `${firstName(random)} ${surname(random)}`
