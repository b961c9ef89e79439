/**
 * What makes two starts the same run: everything that decides what is learned. Another server address, another location of
 * the same model and tokenizer, or another evaluation do not make another run. Files of tasks and prose count by their
 * paths; if their contents change, the run only warns.
 */
import { createHash } from 'node:crypto'
import { workflowIdentity } from '@memagent/core'
import type { RlConfig } from './config.ts'
import { totalSteps } from './schedule.ts'
import type { TrainingParts } from './training-parts.ts'

export interface RunIdentity {
  readonly fingerprint: string
  /** Evaluation scores are comparable only if this is equal. */
  readonly evaluation: string
  /** For the log: whether the same questions are asked and scored alike, by this run and by others. */
  readonly questions: string
}

/** @param workflow identity of what a path or a name refers to; prompts belong to the engine's profile */
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
  // Fields that are undefined are not in the hash.
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
  // What the model was taught before decides nothing.
  const profile = { ...engine.profile, workflows: undefined }
  // The number of steps may change, unless the learning rate decays towards the end.
  const schedule = config.optimizer.finalLearningRate === undefined ? [] : [totalSteps(config)]
  // The frequency of evaluation changes no score.
  const scoring = { ...config.evaluation, every: undefined }
  const { metric, added } = config.reward
  const options = { ...config.task?.options, ...config.task?.evaluationOptions }
  return {
    fingerprint: hashOf([decisive, engine.identity, engine.settings, profile, ...schedule]),
    // The last stage decides how answers are read.
    evaluation: hashOf([scoring, config.task, evaluationTask.name, config.reward.metric, 'closed-box']),
    questions: hashOf([scoring, evaluationTask.name, options, evaluationContent, metric, added]),
  }
}

const hashOf = (value: unknown) => createHash('sha256').update(JSON.stringify(value)).digest('hex')
