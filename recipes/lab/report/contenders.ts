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
  /** Of those measured. */
  readonly shortest: number
  readonly cold: Contender | undefined
  /** Of the arms with more lessons, the one that is best at the length of training: the shortest one among few decoys. */
  readonly noRl: Contender | undefined
  readonly rl: Contender | undefined
  /** Every recorded arm on its own. */
  readonly singles: readonly Omit<Contender, 'look'>[]
  /** The arms of the three above that are not recorded. */
  readonly missing: readonly string[]
}

export type Sweep = 'lengths' | 'denseDecoys' | 'manyDecoys'

/** @returns undefined when nothing is recorded */
export function contenders(results: Results, sweep: Sweep = 'lengths'): Contenders | undefined {
  const recorded = results[sweep]
  const lengths = lengthsOf([...recorded.values()].flat())
  const shortest = lengths[0]
  if (shortest === undefined) return undefined
  const found = (names: readonly string[]) => names.filter((name) => recorded.has(name))
  const together = (name: string, look: number, arms: readonly string[]): Contender | undefined =>
    arms.length === 0 ? undefined : { name, look, seeds: arms.map((arm) => recorded.get(arm)!) }
  const best = bestOfMoreLessons(results)
  const rl = found(rlArms)
  return {
    lengths,
    shortest,
    cold: together('cold start', series.cold, found(['cold'])),
    noRl: together('no RL', series.noRl, found(best === undefined ? [] : [best])),
    rl: together(rl.length === 1 ? 'RL' : `RL, ${rl.length} seeds`, series.rl, rl),
    singles: [...recorded].map(([name, readings]) => ({
      name: name === best ? `${name} (no RL)` : name,
      seeds: [readings],
    })),
    missing: wantedArms(sweep, best).filter((name) => !recorded.has(name)),
  }
}

/** Among more decoys one seed and the best of the arms with more lessons are enough. */
const wantedArms = (sweep: Sweep, best: string | undefined) =>
  sweep === 'lengths'
    ? ['cold', ...rlArms, ...moreLessonsArms]
    : ['cold', 'rl-1', ...(best === undefined ? moreLessonsArms : [best])]

function bestOfMoreLessons({ lengths: recorded }: Results): string | undefined {
  const [trainingLength] = lengthsOf([...recorded.values()].flat())
  const accuracy = (arm: string) =>
    estimate(atLength(recorded.get(arm) ?? [], trainingLength ?? 0), strict).value
  return moreLessonsArms
    .filter((arm) => Number.isFinite(accuracy(arm)))
    .toSorted((a, b) => accuracy(b) - accuracy(a))[0]
}

/** All readings of all seeds. */
export const readingsOf = ({ seeds }: Pick<Contender, 'seeds'>): Reading[] => seeds.flat()
