/** Draws names and values that can be told apart. */
import { isToldApart } from './facts/facts.ts'
import { drawFromPool, type Split } from './facts/pools.ts'
import type { Random } from './random.ts'

export interface ApartDraws {
  /** Everything taken so far. */
  readonly taken: string[]
  /** Draws something distinguishable from everything taken; may be drawn again. */
  draw<T extends { readonly text: string }>(random: Random, source: (random: Random) => T): T
  /** Draws in the same way, and takes it. */
  take<T extends { readonly text: string }>(random: Random, source: (random: Random) => T): T
}

export function drawApart(split: Split): ApartDraws {
  const taken: string[] = []
  const draw: ApartDraws['draw'] = (random, source) =>
    drawFromPool(
      random,
      split,
      source,
      ({ text }) => text,
      ({ text }) => taken.every((other) => isToldApart(text, other)),
    )
  return {
    taken,
    draw,
    take(random, source) {
      const drawn = draw(random, source)
      taken.push(drawn.text)
      return drawn
    },
  }
}
