/** The parts of a training run: the objects that its configuration names, or the caller's own. */
import { resolve } from 'node:path'
import { ConfigurationError, type Json, promptsFor, trainedFor, type Workflow } from '@memagent/core'
import { loadModule, loadWorkflow } from '@memagent/core/node'
import { choosePrompts } from '@memagent/core/settings'
import { brokenTask, checkedTask, type Task, taskNamed } from '@memagent/tasks'
import { warmupNotices } from '../schedule.ts'
import { addedRewards, sumOfRewards } from './added-rewards/registry.ts'
import type { RlConfig } from './config.ts'
import { createTrainingEngine, type TrainingEngine } from './engine.ts'
import { checkGivenParts } from './given-parts.ts'
import { heldOutNotices, sameQuestionsNotice, sameSeedNotices } from './held-out.ts'
import { metricReward, type Reward } from './rewards.ts'
import { stepRewards } from './step-rewards/registry.ts'
import type { StepReward } from './step-rewards/step-reward.ts'
import { checkUpdates } from './step-rewards/updates.ts'
import { contentOf, proseOf } from './task-content.ts'
import { checkLengths, lengthNotices } from './task-lengths.ts'
import type { CreditOptions } from './training-conversations.ts'

/** Objects that replace what the configuration names; it need not name those. */
export interface GivenParts {
  readonly engine?: TrainingEngine | undefined
  readonly workflow?: Workflow<Json> | undefined
  readonly task?: Task | undefined
  /** @default the given task */
  readonly evaluationTask?: Task | undefined
  /** Reward of training and evaluation, in place of `reward.metric` and `reward.added`. */
  readonly reward?: Reward | undefined
  /** Rewards of single conversations, in place of `reward.steps`. */
  readonly steps?: CreditOptions['steps']
  /** Identity of what the given tasks depend on besides the configuration; a resumed run reports a change. */
  readonly content?: string | undefined
}

export interface TrainingParts {
  readonly config: RlConfig
  readonly engine: TrainingEngine
  readonly workflow: Workflow<Json>
  readonly task: Task
  readonly evaluationTask: Task
  readonly reward: Reward
  readonly credit: CreditOptions
  readonly content: string | undefined
  /** The same for evaluation only. */
  readonly evaluationContent: string | undefined
  /** Warnings about the configuration, before it costs anything. */
  readonly notices: readonly string[]
}

/** @throws ConfigurationError for missing or unknown parts; what engine and tasks throw */
export async function createTrainingParts(config: RlConfig, given: GivenParts = {}): Promise<TrainingParts> {
  checkGivenParts(given)
  const { engine: engineSettings, budget, rollouts, loss, reward } = config
  const steps = given.steps ?? (await stepsNamed(reward.steps))
  const workflow = given.workflow ?? (await loadWorkflow(config.workflow))
  if (reward.steps && !given.steps) checkUpdates(reward.steps.name, workflow)
  const [own, ownEvaluation] = [given.task, given.evaluationTask].map(
    (task) => task && checkedTask(task, 'what was given', brokenTask(task.name)),
  )
  const tasks = own
    ? {
        task: own,
        evaluationTask: own,
        content: given.content,
        evaluationContent: given.content,
        notices: [],
      }
    : await createTasks(config.task ?? missing('task'), given.steps ? undefined : reward.steps?.name)
  const evaluationTask = ownEvaluation ?? tasks.evaluationTask
  checkLengths(evaluationTask, config)
  const engine =
    given.engine ??
    (await createTrainingEngine(engineSettings ?? missing('engine'), {
      ...config,
      workflows: trainedFor(workflow),
      temperature: rollouts.temperature,
      needsReference: loss.klCoefficient > 0 || rollouts.from === 'start',
      budget,
      prompts: config.prompts === undefined ? undefined : await choosePrompts(config.prompts),
    }))
  // Missing settings are reported before anything is spent.
  promptsFor(workflow, engine.profile.prompts)
  // Unused settings do not identify a run.
  const used = given.task ? { ...config, task: undefined } : config
  return {
    config: used,
    engine,
    workflow,
    ...tasks,
    notices: [
      ...tasks.notices,
      ...(given.evaluationTask ? [] : await sameSeedNotices(used)),
      ...warmupNotices(config.optimizer, config.curriculum),
      ...lengthNotices(tasks.task, evaluationTask, config),
    ],
    evaluationTask,
    reward:
      given.reward ??
      sumOfRewards(
        metricReward(reward.metric),
        (reward.added ?? []).map((name) => addedRewards[name]!),
      ),
    credit: { ...loss, steps },
  }
}

function missing(what: 'engine' | 'task'): never {
  throw new ConfigurationError({
    code: `train/no-${what}`,
    message: `The configuration names no ${what}, and none was given.`,
    hint: `Set \`${what}\`, or give one to trainRl.`,
  })
}

async function createTasks(
  settings: NonNullable<RlConfig['task']>,
  steps: string | undefined,
): Promise<Pick<TrainingParts, 'task' | 'evaluationTask' | 'content' | 'evaluationContent' | 'notices'>> {
  const { name, options, evaluationOptions } = settings
  const create = taskNamed(name)
  const prose = await proseOf(settings)
  const task = await create({ prose, ...options })
  const evaluationTask = await create({ prose, ...options, ...evaluationOptions })
  const unused = settings.prose !== undefined && prose === undefined
  return {
    task,
    evaluationTask,
    ...(await contentOf(settings, prose, steps)),
    notices: [
      unused ? `task.prose has no effect: with these options, ${name} takes no prose.` : [],
      sameQuestionsNotice(settings) ?? [],
      await heldOutNotices(settings),
    ].flat(),
  }
}

async function stepsNamed(steps: RlConfig['reward']['steps']): Promise<CreditOptions['steps']> {
  if (!steps) return undefined
  const { name, alpha } = steps
  return { reward: await stepRewardNamed(name), alpha, name: `The step reward ${name}` }
}

/** @throws ConfigurationError for a module without a function as its default export */
async function stepRewardNamed(name: string): Promise<StepReward> {
  if (Object.hasOwn(stepRewards, name)) return stepRewards[name]!
  const path = resolve(name)
  const fail = (reason: string, cause?: unknown) =>
    new ConfigurationError({
      code: 'train/bad-step-reward',
      message: `The module ${path} of reward.steps.name gives no step reward: ${reason}.`,
      hint: 'Export a function (rollout, sample) => number[] as default, with a number for each of rollout.conversations.',
      details: { path },
      cause,
    })
  const { exports } = await loadModule(path, (reason, _, cause) => fail(reason, cause))
  if (typeof exports.default !== 'function') throw fail('its default export is not a function')
  return exports.default as StepReward
}
