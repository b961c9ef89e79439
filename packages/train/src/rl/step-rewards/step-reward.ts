import type { Sample } from '@memagent/tasks'
import type { Rollout } from '../rollout.ts'

/** What each conversation of a rollout earns besides the answer: [conversations], in order. */
export type StepReward = (rollout: Rollout, sample: Sample) => readonly number[]
