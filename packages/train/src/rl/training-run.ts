/** The state of a training run, apart from its loop: parts, policy, counts, log and checkpoints. */
import { join } from 'node:path'
import { lockOutput } from '../lock-output.ts'
import { type MetricsLog, openMetricsLog } from '../metrics/metrics-log.ts'
import type { Policy } from '../policy/policy.ts'
import { totalSteps } from '../schedule.ts'
import { unsavedNotice } from '../write-failure.ts'
import { mean } from './advantages.ts'
import { keepFormerBest, restoreBest } from './best-model.ts'
import { Checkpoints, type RunState } from './checkpoints.ts'
import type { RlConfig } from './config.ts'
import { evaluatePolicy } from './evaluate.ts'
import { type EvaluationChanges, evaluationChanges } from './evaluation-changes.ts'
import type { RlEvent } from './events.ts'
import type { OnProgress, TrainingProgress } from './progress.ts'
import type { Reading } from './readings.ts'
import type { RunIdentity } from './run-identity.ts'
import { SamplesAhead } from './samples-ahead.ts'
import { savedRunOf } from './saved-run.ts'
import type { StepResult } from './step-metrics.ts'
import { createTrainingParts, type GivenParts, type TrainingParts } from './training-parts.ts'

export interface RlOptions extends GivenParts {
  readonly signal?: AbortSignal | undefined
  /** The program that trains, for the log. */
  readonly program?: string | undefined
  /** Called with progress within a step or an evaluation, possibly many times a second. */
  readonly onProgress?: ((progress: TrainingProgress) => void) | undefined
}

const doneBefore = (step: number, steps: number) =>
  `The run has done ${step} steps, and its curriculum has only ${steps} now: the weights stay those of step ${step}.`

/** How long a stopped run may spend saving. */
const stoppingMs = 60_000

interface Opened {
  readonly parts: TrainingParts
  readonly options: RlOptions
  readonly policy: Policy
  readonly identity: RunIdentity
  readonly saved: RunState | undefined
  readonly log: MetricsLog
  readonly lock: { release(): Promise<void> }
}

export class TrainingRun {
  readonly parts: TrainingParts
  readonly policy: Policy
  readonly reading: Reading
  readonly samplesAhead: SamplesAhead
  readonly steps: number
  readonly signal: AbortSignal | undefined
  readonly #opened: Opened
  readonly #checkpoints: Checkpoints
  readonly #changes: EvaluationChanges
  #progress: Omit<RunState, 'policy'>
  /** Whether only some of a step's optimizer updates are done: the run cannot resume from such weights. */
  #isBetweenUpdates = false

  /** @throws ConfigurationError, CheckpointError, and what the engine throws */
  static async open(config: RlConfig, options: RlOptions): Promise<TrainingRun> {
    const { output } = config
    const lock = await lockOutput(output)
    try {
      const parts = await createTrainingParts(config, options)
      const { identity, saved } = await savedRunOf(parts)
      const log = await openMetricsLog(output, saved?.step ?? -1, saved?.evaluatedAt ?? -1)
      const policy = await parts.engine.createPolicy(saved?.policy)
      return new TrainingRun({ parts, options, policy, identity, saved, log, lock })
    } catch (error) {
      await lock.release()
      throw error
    }
  }

  private constructor(opened: Opened) {
    const { parts, options, policy, identity, saved } = opened
    const { config, engine, workflow, task, content } = parts
    const { profile, tokens, isRemote } = engine
    this.parts = parts
    this.policy = policy
    this.reading = {
      workflow,
      profile,
      tokens,
      order: config.rollouts.order ?? (isRemote ? 'free' : 'lockstep'),
    }
    this.samplesAhead = new SamplesAhead(task)
    this.steps = totalSteps(config.curriculum)
    this.signal = options.signal
    this.#opened = opened
    this.#checkpoints = new Checkpoints(config.output, policy, saved)
    this.#changes = evaluationChanges(saved, content, identity.evaluation)
    this.#progress = {
      fingerprint: identity.fingerprint,
      parts: identity.parts,
      step: saved?.step ?? 0,
      evaluatedAt: this.#changes.evaluatedAt,
      drawn: saved?.drawn ?? 0,
      curriculum: config.curriculum,
      content,
      optimizerSteps: saved?.optimizerSteps ?? 0,
      best: this.#changes.best,
    }
  }

  /** Steps done. */
  get step(): number {
    return this.#progress.step
  }

  /** Samples drawn in all steps. */
  get drawn(): number {
    return this.#progress.drawn
  }

  get isEvaluationDue(): boolean {
    const { step, evaluatedAt } = this.#progress
    const { every } = this.parts.config.evaluation
    return evaluatedAt < step && (step % every === 0 || step === this.steps)
  }

  get isCheckpointDue(): boolean {
    return this.step % this.parts.config.checkpointEvery === 0 || this.step === this.steps
  }

  async *begin(): AsyncGenerator<RlEvent> {
    const { step, steps } = this
    const { notices, engine } = this.parts
    for (const message of notices) yield { type: 'notice', message }
    if (step > steps) yield { type: 'notice', message: doneBefore(step, steps) }
    const { output } = this.parts.config
    const { best, formerBest, notices: changes } = this.#changes
    const restored = best && (await restoreBest(output, best, engine))
    const kept = formerBest && (await keepFormerBest(output, formerBest, engine))
    for (const message of [...changes, restored ?? [], kept ?? []].flat()) {
      // The log holds scores from before and after the change.
      await this.#opened.log.append({ type: 'notice', step, message })
      yield { type: 'notice', message }
    }
    const { startFrom } = engine
    await this.#opened.log.append({
      type: 'training-start',
      step,
      program: this.#opened.options.program,
      startFrom,
      curriculum: this.parts.config.curriculum,
    })
    yield { type: 'training-start', step, steps, parameters: engine.parameters }
  }

  /** Starts reporting a phase of the current step. */
  follow(phase: TrainingProgress['phase'], step = this.step + 1): OnProgress {
    const { steps } = this
    const startMs = performance.now()
    return (progress) =>
      this.#opened.options.onProgress?.({
        step,
        steps,
        phase,
        seconds: (performance.now() - startMs) / 1000,
        ...progress,
      })
  }

  /** Called when the weights are about to change. */
  readonly onOptimStep = (): void => {
    this.#isBetweenUpdates = true
  }

  async endStep({ metrics, samplesDrawn }: StepResult): Promise<RlEvent> {
    const { drawn, optimizerSteps } = this.#progress
    const step = this.step + 1
    this.#progress = {
      ...this.#progress,
      step,
      drawn: drawn + samplesDrawn,
      optimizerSteps: optimizerSteps + metrics.optimizerSteps,
    }
    this.#isBetweenUpdates = false
    await this.#opened.log.append({ type: 'step-end', step, metrics })
    return { type: 'step-end', step, steps: this.steps, metrics }
  }

  /** Evaluates, and keeps the weights if they are the best so far. */
  async evaluate(): Promise<RlEvent> {
    const { step, reading, signal } = this
    const { config, engine, evaluationTask, reward } = this.parts
    const startMs = performance.now()
    const onProgress = this.follow('evaluation', step)
    const policy = await this.policy.snapshot()
    try {
      const task = evaluationTask
      const sampling = { temperature: config.evaluation.temperature, topP: 1 }
      const options = { ...reading, ...config.evaluation, sampling, reward, policy, task, onProgress, signal }
      const results = await evaluatePolicy(options)
      const score = mean(results.map((result) => result.reward))
      let { best } = this.#progress
      const isBest = best === undefined || score > best.score
      if (isBest) {
        const state = await this.#checkpoints.saveBest()
        best = { step, score, evaluation: this.#opened.identity.evaluation, state }
        await engine.exportModel?.(state, join(config.output, 'best'))
      }
      this.#progress = { ...this.#progress, evaluatedAt: step, best }
      const seconds = (performance.now() - startMs) / 1000
      const ended = {
        type: 'evaluation-end',
        step,
        identity: this.#opened.identity.questions,
        results,
        isBest,
        bestState: best?.state,
        seconds,
      } as const
      await this.#opened.log.append(ended)
      return ended
    } finally {
      await policy.close()
    }
  }

  async save(signal?: AbortSignal): Promise<RlEvent> {
    await this.#checkpoints.save(this.#progress, signal)
    await this.#opened.log.flush()
    return { type: 'checkpoint-end', step: this.step }
  }

  async end(): Promise<RlEvent> {
    const { engine, config } = this.parts
    const folder = engine.exportModel ? join(config.output, 'model') : undefined
    if (folder) await engine.exportModel?.(await this.policy.saveState('final-state'), folder)
    const state = this.#checkpoints.last!.policy
    return { type: 'training-end', step: this.step, folder, state, bestState: this.#progress.best?.state }
  }

  /** Saves a run that an abort or an error ends, so steps since the last checkpoint are not lost. */
  async *saveStopped(): AsyncGenerator<RlEvent> {
    const savedAt = this.#checkpoints.last?.step ?? 0
    if (this.#isBetweenUpdates || this.step <= savedAt) return
    try {
      yield await this.save(AbortSignal.timeout(stoppingMs))
    } catch (error) {
      // The run is stopping: it does not wait for an unreachable server.
      yield { type: 'notice', message: unsavedNotice(this.step, savedAt, error) }
    }
  }

  async close(): Promise<void> {
    try {
      await this.policy.close()
    } finally {
      await this.#opened.lock.release()
    }
  }
}
