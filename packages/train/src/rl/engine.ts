/** What a training run needs of its engine: policies, tokens, the model's profile, and a way out for the weights. */
import { createHash } from 'node:crypto'
import { basename, join } from 'node:path'
import { ConfigurationError, type ModelProfile, paperProfile, parseProfile } from '@memagent/core'
import { loadModelFolder, loadTokenizerFiles, saveModelFolder, type TokenizerFiles } from '@memagent/engine'
import { createEmbeddedPolicy } from '../policy/embedded-policy.ts'
import { loadTrainingState, optimizerStepsOf } from '../policy/embedded-state.ts'
import type { Policy } from '../policy/policy.ts'
import { noReference } from '../tinker/frozen-policy.ts'
import { resolveProfile } from '../tinker/profiles.ts'
import { createTinkerPolicy } from '../tinker/tinker-policy.ts'
import type { EmbeddedEngineConfig, RlConfig, TinkerEngineConfig } from './config.ts'
import { createReaderTokens, type ReaderTokens } from './policy-chat-model.ts'

export interface TrainingEngine {
  readonly tokens: ReaderTokens
  readonly profile: ModelProfile
  /** Undefined when the engine does not tell. */
  readonly parameters: number | undefined
  /** The weights and the tokenizer that training starts with. */
  readonly identity: unknown
  /** What else decides what the engine computes: shapes, templates, threads. @default nothing */
  readonly settings?: unknown
  createPolicy(restoreFrom?: string): Promise<Policy>
  /** Optimizer steps behind a saved state. Undefined: the engine does not tell. */
  optimizerSteps?(state: string): Promise<number>
  /** Writes a saved state as a model that can be served. Undefined: the server keeps it. */
  exportModel?(state: string, folder: string): Promise<void>
}

/** @throws ConfigurationError; EngineError for a folder that is not whole */
export function createTrainingEngine(config: RlConfig): Promise<TrainingEngine> {
  return config.engine.kind === 'embedded'
    ? embeddedEngine(config, config.engine)
    : tinkerEngine(config, config.engine)
}

async function embeddedEngine(config: RlConfig, settings: EmbeddedEngineConfig): Promise<TrainingEngine> {
  const { startFrom, threads, batchTokens, rowTokens } = settings
  const model = await loadModelFolder(startFrom)
  const profile = profileOf(model, config)
  if (profile.budget.window > model.config.maxPositions) {
    throw new ConfigurationError({
      code: 'train/window',
      message: `The window of ${profile.budget.window} tokens is beyond the ${model.config.maxPositions} positions of ${startFrom}.`,
    })
  }
  const weights = [...model.weights.values()]
  // States lie in the output folder, wherever that was when they were recorded: some runs recorded whole paths.
  const placeOf = (state: string) => join(config.output, basename(state))
  return {
    tokens: createReaderTokens(model.tokenizerJson, model.tokenizerConfig, startFrom),
    profile,
    parameters: weights.reduce((sum, { length }) => sum + length, 0),
    identity: { kind: 'embedded', weights: hashOf(weights), tokenizer: model.tokenizerJson },
    // Sums of floats depend on how they are split.
    settings: { model: model.config, templates: model.tokenizerConfig, threads, batchTokens, rowTokens },
    createPolicy: (restoreFrom) =>
      createEmbeddedPolicy({
        name: `embedded:${startFrom}`,
        config: model.config,
        weights: model.weights,
        folder: config.output,
        restoreFrom: restoreFrom && basename(restoreFrom),
        temperature: config.rollouts.temperature,
        threads,
        batchTokens,
        rowTokens: rowTokens ?? profile.budget.window,
      }),
    optimizerSteps: (state) => optimizerStepsOf(placeOf(state)),
    async exportModel(state, folder) {
      const saved = await loadTrainingState(placeOf(state))
      const name = config.name ?? basename(config.output)
      const ownProfile = model.profile && { ...model.profile, name, budget: profile.budget }
      await saveModelFolder(folder, { ...model, weights: saved.weights, profile: ownProfile })
    },
  }
}

async function tinkerEngine(config: RlConfig, settings: TinkerEngineConfig): Promise<TrainingEngine> {
  const { baseModel, server, baseUrl, loraRank, conformance } = settings
  const serverProfile = resolveProfile(server)
  const { reduction, maskKey, gradientClip, optimizerFields } = serverProfile
  if (config.loss.klCoefficient > 0 && serverProfile.reference === 'none')
    throw noReference(serverProfile.name)
  const files = await loadTokenizerFiles(settings.tokenizer)
  return {
    tokens: createReaderTokens(files.tokenizerJson, files.tokenizerConfig, settings.tokenizer),
    profile: profileOf(files, config),
    parameters: undefined,
    identity: { kind: 'tinker', baseModel, loraRank, tokenizer: files.tokenizerJson },
    settings: { templates: files.tokenizerConfig, reduction, maskKey, gradientClip, optimizerFields },
    createPolicy: (restoreFrom) =>
      createTinkerPolicy({
        baseModel,
        profile: server,
        baseUrl,
        loraRank,
        conformance,
        seed: config.seed,
        restoreFrom,
      }),
  }
}

function hashOf(weights: readonly Float32Array[]): string {
  const hash = createHash('sha256')
  for (const { buffer, byteOffset, byteLength } of weights)
    hash.update(new Uint8Array(buffer, byteOffset, byteLength))
  return hash.digest('hex')
}

function profileOf(files: TokenizerFiles, { budget }: RlConfig): ModelProfile {
  const own = files.profile ? parseProfile(files.profile) : paperProfile
  return budget ? { ...own, budget } : own
}
