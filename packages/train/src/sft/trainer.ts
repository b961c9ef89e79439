/**
 * Supervised training of a reading model: the one loop. Batches are pure functions of the step, so a run that was
 * killed goes on from its last checkpoint and ends with the same weights (same machine, same thread count).
 */
import { createHash } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { createHuggingFaceTokenizer, overwrite, promptsFor } from '@memagent/core'
import {
  initialWeights,
  loadModelFolder,
  parameterShapes,
  saveModelFolder,
  TrainingSession,
  warmupThenDecay,
} from '@memagent/engine'
import { factKinds } from '@memagent/tasks'
import { openMetricsLog } from '../metrics/metrics-log.ts'
import { checkSameModel } from './check-same-model.ts'
import { loadTrainingCheckpoint, saveTrainingCheckpoint } from './checkpoint.ts'
import { type SftConfig, stageAt, totalSteps } from './config.ts'
import { type BatchSource, drawBatch } from './draw-batch.ts'
import { countRight, type EvaluationResult, evaluate } from './evaluation.ts'
import { loadProse } from './prose-passages.ts'
import { notFoundAnswer, readerFiles, trainReaderTokenizer } from './reader-files.ts'

export type SftEvent =
  | {
      readonly type: 'training-start'
      readonly step: number
      readonly steps: number
      readonly parameters: number
      readonly characters: number
    }
  | {
      readonly type: 'step-end'
      readonly step: number
      readonly steps: number
      readonly loss: number
      readonly rightTokens: number
      readonly gradientNorm: number
      readonly learningRate: number
      readonly tokensPerSecond: number
      readonly seconds: number
    }
  | {
      readonly type: 'evaluation-end'
      readonly step: number
      readonly results: EvaluationResult
      readonly seconds: number
    }
  | { readonly type: 'checkpoint-end'; readonly step: number; readonly folder: string }
  | { readonly type: 'training-end'; readonly step: number; readonly folder: string }

export interface SftInput {
  readonly config: SftConfig
  /** Texts to train on, in a fixed order. */
  readonly texts: readonly string[]
  readonly signal?: AbortSignal | undefined
  /** Milliseconds; for rates. @default performance.now */
  readonly now?: () => number
}

/** At the end of a vocabulary stand control tokens, markers, digits and single characters; before them the rarest words. */
const tokensOfUse = 65

/**
 * @throws ConfigurationError, CheckpointError; an abort throws the signal's reason after a checkpoint was written.
 */
export async function* trainSft(input: SftInput): AsyncGenerator<SftEvent> {
  const { config, signal } = input
  const now = input.now ?? (() => performance.now())
  const steps = totalSteps(config)
  const checkpointFolder = join(config.output, 'checkpoint')
  const modelFolder = join(config.output, 'model')
  await mkdir(config.output, { recursive: true })

  const evaluationFrom = Math.floor(input.texts.length * (1 - config.prose.evaluationShare))
  const trainTexts = input.texts.slice(0, evaluationFrom)
  const model = { ...config.model, rmsNormEpsilon: 1e-5 }
  const started = config.startFrom ? await loadModelFolder(config.startFrom) : undefined
  if (started) checkSameModel(model, started.config, config.startFrom!)
  const tokenizerJson = started?.tokenizerJson ?? trainReaderTokenizer(trainTexts, config)
  const tokenizer = createHuggingFaceTokenizer(tokenizerJson, undefined, { name: 'nano' })
  const shapes = parameterShapes(model)
  const fingerprint = createHash('sha256')
    .update(
      JSON.stringify([
        { ...config, output: '', threads: 0, evaluation: 0, checkpointEvery: 0 },
        tokenizerJson,
      ]),
    )
    .update(input.texts.join('\0'))
    .digest('hex')

  const checkpoint = await loadTrainingCheckpoint(checkpointFolder, fingerprint)
  const weights = checkpoint?.weights ?? started?.weights ?? initialWeights(model, config.seed)
  const session = await TrainingSession.create(model, weights, { threads: config.threads })
  if (checkpoint) session.loadOptimizerState(checkpoint.optimizer)

  const trainProse = loadProse(trainTexts)
  const sample = trainProse.sentences.slice(0, 2000).join('')
  const encoder = {
    plain: (text: string) => tokenizer.encode(text),
    marked: (text: string) => tokenizer.encode(text, { specialTokens: true }),
    kindToken: (kind: string) =>
      config.model.vocabularySize - tokensOfUse - factKinds().findIndex(({ name }) => name === kind),
  }
  const common = {
    encoder,
    vocabularySize: config.model.vocabularySize,
    emptyMemory: promptsFor(overwrite, 'compact').text('emptyMemory', {}),
    notFound: notFoundAnswer,
    charactersPerToken: sample.length / encoder.plain(sample).length,
  }
  const source: BatchSource = { ...common, prose: trainProse, split: 'train', templates: 'train' }
  const evaluationSource =
    config.prose.evaluationShare === 0
      ? undefined
      : { ...common, prose: loadProse(input.texts.slice(evaluationFrom), 'Evaluation') }
  const log = await openMetricsLog(config.output, checkpoint?.step ?? -1)

  let step = checkpoint?.step ?? 0
  const save = async () => {
    const state = session.optimizerState()
    await saveTrainingCheckpoint(
      checkpointFolder,
      { step, fingerprint, weights: session.weights, optimizer: state },
      shapes,
    )
    await saveModelFolder(modelFolder, {
      config: model,
      weights: session.weights,
      ...readerFiles(config, tokenizerJson, started?.profile),
    })
  }
  const parameters = [...shapes.values()].reduce((sum, shape) => sum + shape.reduce((a, b) => a * b, 1), 0)
  yield { type: 'training-start', step, steps, parameters, characters: trainProse.starts.at(-1)! }
  const drawNext = (at: number) => {
    const stage = stageAt(config, at)
    return stage && drawBatch(source, stage, config.seed, at)
  }
  try {
    let next = drawNext(step)
    while (next) {
      const batch = next
      const startMs = now()
      const running = session.forwardBackward(batch)
      // Told below; without this, a batch that cannot be drawn would leave it untold.
      running.catch(() => undefined)
      // The next batch is drawn while the runtime computes this one.
      next = drawNext(step + 1)
      const { loss, correct } = await running
      const learningRate = warmupThenDecay(step, {
        peak: config.optimizer.learningRate,
        final: config.optimizer.finalLearningRate,
        warmupSteps: config.optimizer.warmupSteps,
        totalSteps: config.optimizer.decaySteps ?? steps,
      })
      const { gradientNorm } = await session.optimStep({ ...config.optimizer, learningRate })
      step++
      const seconds = (now() - startMs) / 1000
      const metrics = {
        step,
        loss,
        rightTokens: correct.reduce((sum, flag) => sum + flag, 0) / correct.length,
        gradientNorm,
        learningRate,
        tokensPerSecond: batch.tokens.length / seconds,
        seconds,
      }
      await log.append({ type: 'step-end', ...metrics, cases: countRight(batch, correct) })
      yield { type: 'step-end', steps, ...metrics }
      if (evaluationSource && (step % config.evaluation.every === 0 || step === steps)) {
        const evaluationMs = now()
        const results = await evaluate(session, evaluationSource, config)
        await log.append({ type: 'evaluation-end', step, results })
        yield { type: 'evaluation-end', step, results, seconds: (now() - evaluationMs) / 1000 }
      }
      if (step % config.checkpointEvery === 0 || step === steps || signal?.aborted) {
        await save()
        yield { type: 'checkpoint-end', step, folder: checkpointFolder }
      }
      signal?.throwIfAborted()
    }
    yield { type: 'training-end', step, folder: modelFolder }
  } finally {
    await session.release()
  }
}
