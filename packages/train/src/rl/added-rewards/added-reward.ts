import type { Sample } from '@memagent/tasks'
import type { Rollout } from '../rollout.ts'

/** What a rollout earns besides its answer. @param earned what the answer earned */
export type AddedReward = (rollout: Rollout, sample: Sample, earned: number) => number
