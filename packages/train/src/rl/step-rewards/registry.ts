/** Step rewards by the name in `reward.steps`. */
import { format } from './format.ts'
import { memoryRecall } from './memory-recall.ts'
import { recall } from './recall.ts'
import type { StepReward } from './step-reward.ts'
import { updateGate } from './update-gate.ts'

export const stepRewards: Readonly<Record<string, StepReward>> = {
  'memory-recall': memoryRecall,
  format,
  'update-gate': updateGate,
  recall,
}

/** Whether a name in `reward.steps` is the path of a module. */
export const isModulePath = (name: string): boolean => /\.[cm]?[jt]s$/.test(name)
