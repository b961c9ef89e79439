/** What names are composed of: first names, surnames, towns and brands, most of them invented from syllables. */
import type { Random } from '../random.ts'
import { capitalise } from './grammar.ts'
import * as list from './words.ts'

export const firstName = (random: Random): string => random.pick(list.firstNames)
export function surname(random: Random): string {
  if (random.chance(0.55)) {
    return random.pick(list.surnames)
  }
  const middle = random.chance(0.35) ? random.pick(list.syllables) : ''
  return capitalise(random.pick(list.syllables) + middle + random.pick(list.surnameEndings))
}
export function townName(random: Random): string {
  if (random.chance(0.3)) {
    return random.pick(list.realTowns)
  }
  const middle = random.chance(0.25) ? random.pick(list.syllables) : ''
  const town = capitalise(random.pick(list.syllables) + middle + random.pick(list.townEndings))
  return random.chance(0.08)
    ? `${random.pick(['North', 'South', 'East', 'West', 'Upper', 'Lower', 'New', 'Port'])} ${town}`
    : town
}
/** An invented brand: `Kelvora`, `Brightwater`. */
export function brandName(random: Random): string {
  if (random.chance(0.4)) {
    return capitalise(random.pick(list.adjectives) + random.pick(list.nouns))
  }
  return capitalise(
    random.pick(list.syllables) +
      random.pick(list.syllables) +
      random.pick(['a', 'o', 'ix', 'is', 'um', 'en', 'ex']),
  )
}
export const personName = (random: Random): string => `${firstName(random)} ${surname(random)}`
