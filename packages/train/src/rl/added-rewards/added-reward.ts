import type { Sample } from '@memagent/tasks'
import type { Rollout } from '../rollout.ts'

/** What a rollout earns besides its answer. @param earned by the answer */
export type AddedReward = (rollout: Rollout, sample: Sample, earned: number) => number
