/**
 * Names and values come from two disjoint pools, split by a hash of the string: one string in five belongs to evaluation and
 * never appears in training.
 */
import { TaskError } from '@memagent/core'
import { hashText, type Random } from '../random.ts'

export type Split = 'train' | 'eval'

/** The pool of a name or value; case does not matter. */
export function poolOf(text: string): Split {
  return hashText(text.toLowerCase()) % 5 === 0 ? 'eval' : 'train'
}

const maxTries = 2000

/** After this many tries a source counts as exhausted; callers with a wider source then switch to it. */
export const narrowTries = 1000

/**
 * Draws until the string belongs to the pool and is accepted.
 * @param draw also takes the number of previous tries
 * @throws TaskError if too few strings qualify
 */
export function drawFromPool<T>(
  random: Random,
  split: Split,
  draw: (random: Random, tries: number) => T,
  textOf: (drawn: T) => string,
  accept: (drawn: T) => boolean = () => true,
): T {
  for (let i = 0; i < maxTries; i += 1) {
    const drawn = draw(random, i)
    if (poolOf(textOf(drawn)) === split && accept(drawn)) {
      return drawn
    }
  }
  throw new TaskError({
    code: 'task/pool-exhausted',
    message: `no acceptable string of the ${split} pool in ${maxTries} draws`,
    hint: 'The generator composes too few different strings, or too many are excluded.',
  })
}
