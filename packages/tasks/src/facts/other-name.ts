/** Another name beside a given one, for the distractors of a question. */
import type { Random } from '../random.ts'
import { drawSibling, type Name } from './names.ts'

/**
 * Nearly always a sibling, which shares a part of the name. Now and then one that shares nothing: some names have so few
 * siblings in a pool (Dr. Mott, Senator Mott...) that drawing until one suits would never end.
 */
export function drawOtherName(random: Random, name: Name, drawFresh: (random: Random) => Name): Name {
  return name.form.length > 1 && !random.chance(0.05) ? drawSibling(random, name) : drawFresh(random)
}
