/** Everything that was recorded, by arm; the cold start and the bundled model are among them where they were measured. */
import { join } from 'node:path'
import { arms, bundled, coldStart } from '../arms.ts'
import { type Reading, readReadings } from './reading.ts'
import { readTrainingLog, type TrainingLog } from './training-log.ts'

/** Arms without a recorded line are not in the maps. */
export interface Results {
  readonly training: ReadonlyMap<string, TrainingLog>
  /** The same questions at growing length, among as many decoys as in training, as dense ones, and four times as many. */
  readonly lengths: ReadonlyMap<string, readonly Reading[]>
  readonly denseDecoys: ReadonlyMap<string, readonly Reading[]>
  readonly manyDecoys: ReadonlyMap<string, readonly Reading[]>
  /** The same questions with several sizes of memory. */
  readonly memory: ReadonlyMap<string, readonly Reading[]>
}

/** @throws ConfigurationError for a benchmark's record with a line that is none */
export async function readResults(folder: string): Promise<Results> {
  const load = async <T>(prefix: string, read: (path: string) => Promise<T | undefined>) => {
    const loaded = new Map<string, T>()
    for (const { name } of [coldStart, ...arms, bundled]) {
      const result = await read(join(folder, `${prefix}${name}.jsonl`))
      if (result !== undefined) loaded.set(name, result)
    }
    return loaded
  }
  return {
    training: await load('', readTrainingLog),
    lengths: await load('lengths-', readReadings),
    denseDecoys: await load('dense-decoys-', readReadings),
    manyDecoys: await load('many-decoys-', readReadings),
    memory: await load('memory-', readReadings),
  }
}

export const rlArms = ['rl-1', 'rl-2', 'rl-3']
export const finalCreditArms = ['rl-final-1', 'rl-final-2', 'rl-final-3']
export const moreLessonsArms = ['sft-more-low', 'sft-more-half']

/** Colours and signs of the plots: who is compared looks the same everywhere, and seeds count up from the first. */
export const series = { cold: 0, noRl: 1, rl: 2, finalCredit: 5 } as const
