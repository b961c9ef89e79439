/** Near names: a tired reader would confuse Anna Keller with Anna Kellar, or order 4711 with 4717. */
import type { Random } from '../random.ts'
import { composeName, type Name } from './names.ts'

/** A name of the same form in which exactly one part differs, sometimes by a single letter or digit. */
export function drawNearName(random: Random, name: Name): Name {
  const free = name.form.flatMap((part, i) => (typeof part === 'string' ? [] : [i]))
  const changed = random.pick(free)
  const parts = name.parts.map((part, i) => (i === changed ? nearPart(random, name, i) : part))
  return composeName(name.form, parts)
}

const maxTries = 50

function nearPart(random: Random, name: Name, index: number): string {
  const part = name.parts[index]!
  const draw = name.form[index]!
  // Not always: a pool may have too few numbers that differ in one digit.
  const isNumber = /^\d{3,}$/.test(part)
  if (isNumber ? random.chance(0.8) : /^\p{Lu}\p{Ll}{3,}$/u.test(part) && random.chance(0.35)) {
    return withOneCharacterChanged(random, part)
  }
  for (let i = 0; i < maxTries && typeof draw !== 'string'; i += 1) {
    const other = draw(random)
    if (other !== part) {
      return other
    }
  }
  return withOneCharacterChanged(random, part)
}

const classes = ['aeiou', 'bcdfghjklmnprstvwz', '0123456789']

/** A vowel for a vowel, a consonant for a consonant, a digit for a digit; never the first character. */
function withOneCharacterChanged(random: Random, text: string): string {
  const places = [...text].flatMap((character, i) => {
    const alike = classes.find((members) => members.includes(character))
    return i > 0 && alike !== undefined ? [{ i, alike: alike.replace(character, '') }] : []
  })
  if (places.length === 0) {
    return `${text}${random.pick(['a', 'e', 'o'])}`
  }
  const { i, alike } = random.pick(places)
  return text.slice(0, i) + alike.charAt(random.int(alike.length)) + text.slice(i + 1)
}
