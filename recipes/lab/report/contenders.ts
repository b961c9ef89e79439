/** Who is compared over length: the cold start, more lessons, rewards. */
import { atLength, estimate, lengthsOf, strict } from './comparison.ts'
import type { Reading } from './reading.ts'
import { moreLessonsArms, type Results, rlArms, series } from './results.ts'

export interface Contender {
  readonly name: string
  /** How it looks in plots. */
  readonly look: number
  /** One list per seed. */
  readonly seeds: readonly (readonly Reading[])[]
}

export interface Contenders {
  readonly lengths: readonly number[]
  /** The shortest length, which is the longest of training. */
  readonly trainingLength: number
  readonly cold: Contender | undefined
  /** Of the arms with more lessons, the one that is best at the training length. */
  readonly noRl: Contender | undefined
  readonly rl: Contender | undefined
  /** Every recorded arm on its own. */
  readonly singles: readonly Omit<Contender, 'look'>[]
  /** The arms of the three above that are not recorded. */
  readonly missing: readonly string[]
}

/** @returns undefined when nothing is recorded */
export function contenders({ lengths: recorded }: Results): Contenders | undefined {
  const lengths = lengthsOf([...recorded.values()].flat())
  const trainingLength = lengths[0]
  if (trainingLength === undefined) return undefined
  const found = (names: readonly string[]) => names.filter((name) => recorded.has(name))
  const together = (name: string, look: number, arms: readonly string[]): Contender | undefined =>
    arms.length === 0 ? undefined : { name, look, seeds: arms.map((arm) => recorded.get(arm)!) }
  const accuracy = (arm: string) => estimate(atLength(recorded.get(arm)!, trainingLength), strict).value
  const best = found(moreLessonsArms)
    .filter((arm) => Number.isFinite(accuracy(arm)))
    .toSorted((a, b) => accuracy(b) - accuracy(a))[0]
  const rl = found(rlArms)
  return {
    lengths,
    trainingLength,
    cold: together('cold start', series.cold, found(['cold'])),
    noRl: together('no RL', series.noRl, best === undefined ? [] : [best]),
    rl: together(rl.length === 1 ? 'RL' : `RL, ${rl.length} seeds`, series.rl, rl),
    singles: [...recorded].map(([name, readings]) => ({
      name: name === best ? `${name} (no RL)` : name,
      seeds: [readings],
    })),
    missing: ['cold', ...rlArms, ...moreLessonsArms].filter((name) => !recorded.has(name)),
  }
}

/** All readings of all seeds. */
export const readingsOf = ({ seeds }: Pick<Contender, 'seeds'>): Reading[] => seeds.flat()
