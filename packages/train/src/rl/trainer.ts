/**
 * Reinforcement learning of a reader: Multi-Conv DAPO (MemAgent, arXiv 2507.02259, section 3). Every step is a pure
 * function of the configuration and the state before, so that a killed run goes on from its last checkpoint and ends as
 * if nothing had happened (embedded engine, lockstep rollouts, the same number of threads).
 */
import { join } from 'node:path'
import type { Json, Workflow } from '@memagent/core'
import type { Task } from '@memagent/tasks'
import { openMetricsLog } from '../metrics/metrics-log.ts'
import { mean } from './advantages.ts'
import { type RlConfig, totalSteps } from './config.ts'
import type { TrainingEngine } from './engine.ts'
import { type EvaluationAtLength, evaluatePolicy } from './evaluate.ts'
import { OwnStates } from './own-states.ts'
import type { OnProgress, TrainingProgress } from './progress.ts'
import type { Reading } from './rollout-batch.ts'
import { runIdentityOf } from './run-identity.ts'
import { checkSavedState, loadRunState, saveRunState } from './run-state.ts'
import { SamplesAhead } from './samples-ahead.ts'
import type { StepMetrics } from './step-metrics.ts'
import { trainStep } from './training-step.ts'

export type RlEvent =
  /** What people should know of the configuration before it costs. */
  | { readonly type: 'notice'; readonly message: string }
  | {
      readonly type: 'training-start'
      readonly step: number
      readonly steps: number
      readonly parameters: number | undefined
    }
  | {
      readonly type: 'step-end'
      readonly step: number
      readonly steps: number
      readonly metrics: StepMetrics
    }
  | {
      readonly type: 'evaluation-end'
      readonly step: number
      readonly results: readonly EvaluationAtLength[]
      readonly isBest: boolean
      /** Where the best weights so far are saved: what `createPolicy` takes. */
      readonly bestState: string | undefined
      readonly seconds: number
    }
  | { readonly type: 'checkpoint-end'; readonly step: number }
  | {
      readonly type: 'training-end'
      readonly step: number
      /** A model that can be served; undefined when the server keeps the weights. */
      readonly folder: string | undefined
      /** Where the last weights are saved, and the best: what `createPolicy` takes. */
      readonly state: string
      readonly bestState: string | undefined
    }

export interface RlInput {
  readonly config: RlConfig
  readonly engine: TrainingEngine
  readonly workflow: Workflow<Json>
  readonly task: Task
  readonly evaluationTask: Task
  /** What the questions and documents depend on beside the configuration: changes with the files they come from. */
  readonly content?: string | undefined
  readonly signal?: AbortSignal | undefined
  /** Told how far a step or an evaluation is, while it lasts: many times a second where that is how it goes. */
  readonly onProgress?: ((progress: TrainingProgress) => void) | undefined
  /** Milliseconds; for rates. @default performance.now */
  readonly now?: () => number
}

/**
 * @throws ConfigurationError, CheckpointError, and what reading throws; an abort throws the signal's reason, after the last
 *   whole step was saved where that is possible
 */
export async function* trainRl(input: RlInput): AsyncGenerator<RlEvent> {
  const { config, engine, workflow, content, signal } = input
  const now = input.now ?? (() => performance.now())
  const { output, checkpointEvery } = config
  const steps = totalSteps(config)
  const { fingerprint, olderFingerprint, evaluation } = runIdentityOf(config, engine)
  const saved = await loadRunState(output, [fingerprint, olderFingerprint])
  if (saved) await checkSavedState(output, saved, engine.optimizerSteps)
  // Older runs saved nothing that waited for its evaluation.
  let evaluatedAt = saved?.evaluatedAt ?? saved?.step ?? -1
  const log = await openMetricsLog(output, saved?.step ?? -1, evaluatedAt)
  // Older runs did not count.
  let optimizerSteps = saved ? (saved.optimizerSteps ?? (await engine.optimizerSteps?.(saved.policy))) : 0
  const policy = await engine.createPolicy(saved?.policy)
  let step = saved?.step ?? 0
  let drawn = saved?.drawn ?? 0
  const isChanged = saved?.content !== undefined && content !== undefined && saved.content !== content
  // The score of another evaluation says nothing about the next one; that of older runs, which do not tell theirs, neither.
  let best = !isChanged && saved?.best?.evaluation === evaluation ? saved.best : undefined
  const reading: Reading = {
    workflow,
    profile: engine.profile,
    tokens: engine.tokens,
    order: config.rollouts.order ?? (config.engine.kind === 'embedded' ? 'lockstep' : 'free'),
  }

  const ahead = new SamplesAhead(input.task)

  const follow = (phase: TrainingProgress['phase'], at: number): OnProgress => {
    const startMs = now()
    return (progress) =>
      input.onProgress?.({ step: at, steps, phase, seconds: (now() - startMs) / 1000, ...progress })
  }
  const states = new OwnStates(policy)
  let state = saved
  const save = async (signal?: AbortSignal) => {
    // Two states take turns, so that the one that `run.json` names is whole at every moment.
    const name = state?.policy.endsWith('state-a') ? 'state-b' : 'state-a'
    state = {
      fingerprint,
      step,
      evaluatedAt,
      drawn,
      content,
      optimizerSteps,
      best,
      policy: await states.save(name, signal),
    }
    await saveRunState(output, state)
    await states.keepOnly([state.policy, best?.state], signal)
    await log.flush()
  }
  const evaluate = async () => {
    const startMs = now()
    const snapshot = await policy.snapshot()
    try {
      const results = await evaluatePolicy({
        ...reading,
        ...config.evaluation,
        sampling: { temperature: config.evaluation.temperature, topP: 1 },
        metric: config.reward.metric,
        policy: snapshot,
        task: input.evaluationTask,
        onProgress: follow('evaluation', step),
        signal,
      })
      const score = mean(results.map(({ reward }) => reward))
      const isBest = best === undefined || score > best.score
      if (isBest) {
        // A name of its own: it outlives the states that take turns.
        best = { step, score, evaluation, state: await states.save('best-state') }
        await engine.exportModel?.(best.state!, join(output, 'best'))
      }
      const seconds = (now() - startMs) / 1000
      const ended = {
        type: 'evaluation-end',
        step,
        results,
        isBest,
        bestState: best?.state,
        seconds,
      } as const
      evaluatedAt = step
      await log.append(ended)
      return ended
    } finally {
      await snapshot.close()
    }
  }

  const isEvaluationDue = () => evaluatedAt < step && (step % config.evaluation.every === 0 || step === steps)
  /** Some of a step's optimizer updates are done: these weights cannot be gone on from. */
  let isBetweenUpdates = false

  try {
    if (isChanged) yield { type: 'notice', message: changedContent(step) }
    yield { type: 'training-start', step, steps, parameters: engine.parameters }
    if (isEvaluationDue()) {
      yield await evaluate()
      await save()
    }
    while (step < steps) {
      signal?.throwIfAborted()
      const { metrics, samplesDrawn } = await trainStep({
        config,
        policy,
        reading,
        task: input.task,
        ahead,
        step,
        drawnBefore: drawn,
        follow: (phase) => follow(phase, step + 1),
        now,
        signal,
        onOptimStep: () => {
          isBetweenUpdates = true
        },
      })
      step++
      drawn += samplesDrawn
      if (optimizerSteps !== undefined) optimizerSteps += metrics.optimizerSteps
      isBetweenUpdates = false
      await log.append({ type: 'step-end', step, metrics })
      yield { type: 'step-end', step, steps, metrics }
      if (isEvaluationDue()) yield await evaluate()
      if (step % checkpointEvery === 0 || step === steps) {
        await save()
        yield { type: 'checkpoint-end', step }
      }
    }
    const folder = engine.exportModel ? join(output, 'model') : undefined
    if (folder) await engine.exportModel?.(await policy.saveState('final-state'), folder)
    yield { type: 'training-end', step, folder, state: state!.policy, bestState: best?.state }
  } catch (error) {
    // Stopped by hand: what was done since the last checkpoint is not lost.
    if (signal?.aborted && !isBetweenUpdates && step > (state?.step ?? 0)) {
      // It was to stop: a server that is away is not waited for, and what went wrong with it is not what is told.
      const isSaved = await save(AbortSignal.timeout(stoppingMs)).then(
        () => true,
        () => false,
      )
      if (isSaved) yield { type: 'checkpoint-end', step }
    }
    throw error
  } finally {
    await policy.close()
  }
}

/** How long a stopped run may save. */
const stoppingMs = 60_000

const changedContent = (step: number) =>
  `The files that questions, documents and prose come from are not those of the first ${step} steps. The run goes on with them as they are now; scores of before and after do not compare.`
