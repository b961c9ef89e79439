/** The state of a supervised training, apart from its loop: session, lessons, log and checkpoints. */
import { join } from 'node:path'
import { createHuggingFaceTokenizer } from '@memagent/core'
import {
  initialWeights,
  loadModelFolder,
  type ModelFolder,
  parameterShapes,
  saveModelFolder,
  TrainingSession,
  weightsDigest,
} from '@memagent/engine'
import { checkFree, checkStart } from '../check-start.ts'
import { lockOutput } from '../lock-output.ts'
import { type MetricsLog, openMetricsLog } from '../metrics/metrics-log.ts'
import { learningRateAt, stageAt, totalSteps } from '../schedule.ts'
import { unsavedNotice } from '../write-failure.ts'
import { checkMemory } from './check-memory.ts'
import { checkReaderTokenizer, checkSameModel } from './check-same-model.ts'
import { checkSkills } from './check-skills.ts'
import { checkReaderWindow } from './check-window.ts'
import { loadTrainingCheckpoint, markEvaluated, saveTrainingCheckpoint } from './checkpoint.ts'
import type { SftConfig } from './config.ts'
import { type DrawnBatch, drawBatch } from './draw-batch.ts'
import { countRight, evaluate } from './evaluation.ts'
import type { SftEvent } from './events.ts'
import { isExported } from './exported-model.ts'
import { heldOutNotices } from './held-out.ts'
import { createLessonSources, type LessonSources } from './lesson-sources.ts'
import { textsOf } from './prose-texts.ts'
import { readerFiles, trainReaderTokenizer } from './reader-files.ts'
import { type SftIdentity, sftIdentityOf, skillFilesOf } from './run-identity.ts'
import { settingNotices } from './setting-notices.ts'

export interface SftOptions {
  /** Texts to train on, in a fixed order; the last ones are only for evaluation. @default those of `prose.folder`, shuffled */
  readonly texts?: readonly string[] | undefined
  readonly signal?: AbortSignal | undefined
  /** The program that trains, for the log. */
  readonly program?: string | undefined
}

interface Opened {
  readonly options: SftOptions
  readonly identity: SftIdentity
  readonly started: ModelFolder | undefined
  /** Digest of the weights that training starts from. */
  readonly startDigest: string | undefined
  readonly tokenizerJson: Record<string, unknown>
  readonly session: TrainingSession
  readonly sources: LessonSources
  readonly step: number
  readonly evaluatedAt: number
  /** Whether earlier steps were evaluated in another way. */
  readonly isOtherEvaluation: boolean
  /** Warnings about the configuration. */
  readonly notices: readonly string[]
  readonly log: MetricsLog
  readonly lock: { release(): Promise<void> }
}

export class SftRun {
  readonly config: SftConfig
  readonly session: TrainingSession
  readonly steps: number
  readonly signal: AbortSignal | undefined
  /** Steps done. */
  step: number
  readonly #opened: Opened
  readonly #checkpointFolder: string
  readonly #modelFolder: string
  #evaluatedAt: number
  /** The step of the last checkpoint. */
  #savedAt: number
  /** The step of the exported model; undefined if unknown. */
  #exportedAt: number | undefined

  /** @throws ConfigurationError, CheckpointError, and what the engine throws */
  static async open(config: SftConfig, options: SftOptions): Promise<SftRun> {
    checkMemory(config)
    const lock = await lockOutput(config.output)
    try {
      const texts = options.texts ?? (await textsOf(config))
      const started = config.startFrom ? await loadModelFolder(config.startFrom) : undefined
      const model = modelOf(config)
      if (started) checkSameModel(model, started.config, config.startFrom!)
      const evaluationFrom = Math.floor(texts.length * (1 - config.prose.evaluationShare))
      const [trainTexts, evaluationTexts] = [texts.slice(0, evaluationFrom), texts.slice(evaluationFrom)]
      const tokenizerJson = started?.tokenizerJson ?? trainReaderTokenizer(trainTexts, config)
      const tokenizer = createHuggingFaceTokenizer(tokenizerJson, undefined, { name: 'nano' })
      if (started) checkReaderTokenizer(tokenizer, config.startFrom!)
      await checkReaderWindow(config, tokenizer)
      const sources = createLessonSources(config, tokenizer, trainTexts, evaluationTexts)
      const skillNotices = await checkSkills(sources.training.skills!, config.stages)
      const startDigest = config.startFrom && (await weightsDigest(config.startFrom))
      const identity = sftIdentityOf(config, startDigest, await skillFilesOf(config), tokenizerJson, texts)
      const checkpointFolder = join(config.output, 'checkpoint')
      const checkpoint = await loadTrainingCheckpoint(checkpointFolder, identity)
      if (!checkpoint) checkFree(config.output, 'sft')
      if (!checkpoint && config.startFrom) checkStart(config.output, config.startFrom, 'startFrom')
      // Nothing is evaluated before the first step.
      const { step, evaluatedAt, evaluation } = checkpoint ?? { ...identity, step: 0, evaluatedAt: 0 }
      const isOtherEvaluation = evaluation !== identity.evaluation
      const log = await openMetricsLog(config.output, checkpoint ? step : -1, evaluatedAt)
      const weights = checkpoint?.weights ?? started?.weights ?? initialWeights(model, config.seed)
      const session = await TrainingSession.create(model, weights, { threads: config.threads })
      if (checkpoint) session.loadOptimizerState(checkpoint.optimizer)
      return new SftRun(config, {
        options,
        identity,
        started,
        startDigest,
        tokenizerJson,
        session,
        sources,
        step,
        evaluatedAt: isOtherEvaluation ? 0 : evaluatedAt,
        isOtherEvaluation,
        notices: [...(await heldOutNotices(config)), ...settingNotices(config), ...skillNotices],
        log,
        lock,
      })
    } catch (error) {
      await lock.release()
      throw error
    }
  }

  private constructor(config: SftConfig, opened: Opened) {
    const { options, session, step, evaluatedAt } = opened
    this.config = config
    this.session = session
    this.steps = totalSteps(config.stages)
    this.signal = options.signal
    this.step = step
    this.#savedAt = step
    this.#evaluatedAt = evaluatedAt
    this.#opened = opened
    this.#checkpointFolder = join(config.output, 'checkpoint')
    this.#modelFolder = join(config.output, 'model')
  }

  /** The learning rate of the current step. */
  get learningRate(): number {
    const { optimizer, stages } = this.config
    return learningRateAt(optimizer, stages, this.step)
  }

  get isEvaluationDue(): boolean {
    const isTime = this.step % this.config.evaluation.every === 0 || this.step === this.steps
    return isTime && this.#evaluatedAt < this.step && this.#opened.sources.evaluation !== undefined
  }

  get isCheckpointDue(): boolean {
    return this.step % this.config.checkpointEvery === 0 || this.step === this.steps
  }

  async *begin(): AsyncGenerator<SftEvent> {
    const sizes = [...parameterShapes(modelOf(this.config)).values()].map((shape) =>
      shape.reduce((a, b) => a * b, 1),
    )
    const parameters = sizes.reduce((sum, size) => sum + size, 0)
    const characters = this.#opened.sources.training.prose.starts.at(-1)!
    const { startDigest, log, options, isOtherEvaluation, notices } = this.#opened
    for (const message of notices) yield { type: 'notice', message }
    if (isOtherEvaluation) {
      const message = `The evaluation is another one than in the first ${this.step} steps: results before and after do not compare.`
      await log.append({ type: 'notice', step: this.step, message })
      yield { type: 'notice', message }
    }
    await log.append({
      type: 'training-start',
      step: this.step,
      program: options.program,
      startFrom: startDigest === undefined ? 'random weights' : `weights ${startDigest}`,
    })
    yield { type: 'training-start', step: this.step, steps: this.steps, parameters, characters }
  }

  /** The batch of step `step` (0-based); undefined after the last. */
  async draw(step: number): Promise<DrawnBatch | undefined> {
    const stage = stageAt(this.config.stages, step)
    return stage && drawBatch(this.#opened.sources.training, stage, this.config.seed, step)
  }

  async endStep(
    batch: DrawnBatch,
    done: {
      readonly loss: number
      /** For each target, whether it was the model's first choice. */
      readonly correct: Uint8Array
      readonly gradientNorm: number
      readonly seconds: number
    },
  ): Promise<SftEvent> {
    const { loss, correct, gradientNorm, seconds } = done
    const { learningRate } = this
    this.step++
    const metrics = {
      step: this.step,
      loss,
      rightTokens: correct.reduce((sum, flag) => sum + flag, 0) / correct.length,
      gradientNorm,
      learningRate,
      conversationTokens: batch.conversationTokens,
      targetTokens: batch.targets.length,
      documents: batch.documents,
      tokensPerSecond: batch.tokens.length / seconds,
      seconds,
    }
    await this.#opened.log.append({ type: 'step-end', ...metrics, cases: countRight(batch, correct) })
    return { type: 'step-end', steps: this.steps, ...metrics }
  }

  async evaluate(): Promise<SftEvent> {
    const startMs = performance.now()
    const { step } = this
    const results = await evaluate(this.session, this.#opened.sources.evaluation!, this.config)
    await this.#opened.log.append({
      type: 'evaluation-end',
      step,
      identity: this.#opened.identity.evaluation,
      results,
    })
    this.#evaluatedAt = step
    if (this.#savedAt === step) {
      const { evaluation } = this.#opened.identity
      await markEvaluated(this.#checkpointFolder, step, evaluation)
    }
    return { type: 'evaluation-end', step, results, seconds: (performance.now() - startMs) / 1000 }
  }

  async save(): Promise<SftEvent> {
    const { step, session } = this
    const { weights } = session
    const optimizer = session.optimizerState()
    const checkpoint = { step, evaluatedAt: this.#evaluatedAt, weights, optimizer }
    const shapes = parameterShapes(modelOf(this.config))
    await saveTrainingCheckpoint(this.#checkpointFolder, checkpoint, this.#opened.identity, shapes)
    this.#savedAt = step
    await this.#exportModel()
    return { type: 'checkpoint-end', step, folder: this.#checkpointFolder }
  }

  async end(): Promise<SftEvent> {
    // A run killed after its last checkpoint may have the model of the previous one.
    const isDone =
      this.#exportedAt === this.step || (await isExported(this.#modelFolder, this.session.weights))
    if (!isDone) await this.#exportModel()
    return { type: 'training-end', step: this.step, folder: this.#modelFolder }
  }

  async #exportModel(): Promise<void> {
    const { config, session, step } = this
    const { tokenizerJson, started } = this.#opened
    const files = readerFiles(config, tokenizerJson, started?.profile)
    await saveModelFolder(this.#modelFolder, { config: modelOf(config), weights: session.weights, ...files })
    this.#exportedAt = step
  }

  /** Saves a run that an abort or an error ends, so steps since the last checkpoint are not lost. */
  async *saveStopped(): AsyncGenerator<SftEvent> {
    if (this.step === this.#savedAt) return
    const savedAt = this.#savedAt
    try {
      yield await this.save()
    } catch (error) {
      yield { type: 'notice', message: unsavedNotice(this.step, savedAt, error) }
    }
  }

  async close(): Promise<void> {
    try {
      await this.session.release()
    } finally {
      await this.#opened.lock.release()
    }
  }
}

const modelOf = (config: SftConfig) => ({ ...config.model, rmsNormEpsilon: 1e-5 })
