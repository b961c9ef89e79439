/**
 * Decides whether two starts are the same run: everything that affects what is learned counts. Another server address,
 * another location of the same model and tokenizer, or another evaluation does not make another run. Files of tasks and
 * prose count by their paths; if their contents change, the run only warns.
 */
import { createHash } from 'node:crypto'
import { workflowIdentity } from '@memagent/core'
import { hashParts, type IdentityParts } from '../identity-parts.ts'
import { totalSteps } from '../schedule.ts'
import type { RlConfig } from './config.ts'
import type { TrainingParts } from './training-parts.ts'

export interface RunIdentity {
  readonly fingerprint: string
  /** Evaluation scores compare only if this is equal. */
  readonly evaluation: string
  /** For the log: equal if two runs ask the same questions and score them alike. */
  readonly questions: string
  /** What `fingerprint` is made from. */
  readonly parts: IdentityParts
}

/** The identity of the workflow replaces its name or path; prompts count as part of the engine's profile. */
export function runIdentityOf(
  config: RlConfig,
  {
    engine,
    workflow,
    task: used,
    evaluationTask,
    evaluationContent,
  }: Pick<TrainingParts, 'engine' | 'workflow' | 'task' | 'evaluationTask' | 'evaluationContent'>,
): RunIdentity {
  // Undefined fields are not part of the hash.
  const free = { output: undefined, evaluation: undefined, checkpointEvery: undefined, curriculum: undefined }
  // For a task given as an object, only the name is known.
  const task = config.task ? { ...config.task, evaluationOptions: undefined } : { name: used.name }
  const named = {
    name: undefined,
    engine: undefined,
    prompts: undefined,
    workflow: workflowIdentity(workflow),
  }
  const decisive = { ...config, ...free, ...named, task }
  // The workflows that the model was trained for before do not matter.
  const profile = { ...engine.profile, workflows: undefined }
  // The number of steps may change, unless the learning rate decays over them.
  const schedule = config.optimizer.finalLearningRate === undefined ? [] : [totalSteps(config.curriculum)]
  // The frequency of evaluation does not affect scores.
  const scoring = { ...config.evaluation, every: undefined }
  const { metric, added } = config.reward
  const options = { ...config.task?.options, ...config.task?.evaluationOptions }
  return {
    fingerprint: hashOf([decisive, engine.identity, engine.settings, profile, ...schedule]),
    // 'closed-box' names how answers are read.
    evaluation: hashOf([scoring, config.task, evaluationTask.name, config.reward.metric, 'closed-box']),
    questions: hashOf([scoring, evaluationTask.name, options, evaluationContent, metric, added]),
    parts: hashParts({
      ...decisive,
      engine: [engine.settings],
      'the model that it starts from': engine.identity,
      budget: engine.profile.budget,
      'prompts or profile of the model': { ...profile, budget: undefined },
      'the number of steps': schedule,
    }),
  }
}

const hashOf = (value: unknown) => createHash('sha256').update(JSON.stringify(value)).digest('hex')
