/** What a training run needs of its engine: policies, tokens, the model's profile, and a way out for the weights. */
import { ConfigurationError, type ModelProfile, paperProfile } from '@memagent/core'
import { loadModelFolder, parseProfile, saveModelFolder } from '@memagent/engine'
import { createEmbeddedPolicy } from '../policy/embedded-policy.ts'
import { loadTrainingState } from '../policy/embedded-state.ts'
import type { Policy } from '../policy/policy.ts'
import type { RlConfig } from './config.ts'
import { createReaderTokens, type ReaderTokens } from './policy-chat-model.ts'

export interface TrainingEngine {
  readonly tokens: ReaderTokens
  readonly profile: ModelProfile
  /** Undefined when the engine does not tell. */
  readonly parameters: number | undefined
  /** What a checkpoint must have been made with. */
  readonly identity: unknown
  createPolicy(restoreFrom?: string): Promise<Policy>
  /** Writes a saved state as a model that can be served. Undefined: the server keeps it. */
  exportModel?(state: string, folder: string): Promise<void>
}

/** @throws ConfigurationError; EngineError for a model folder that is not whole */
export async function createTrainingEngine(config: RlConfig): Promise<TrainingEngine> {
  const { startFrom, threads, batchTokens } = config.engine
  const model = await loadModelFolder(startFrom)
  const own = model.profile ? parseProfile(model.profile) : paperProfile
  const profile = config.budget ? { ...own, budget: config.budget } : own
  if (profile.budget.window > model.config.maxPositions) {
    throw new ConfigurationError({
      code: 'train/window',
      message: `The window of ${profile.budget.window} tokens is beyond the ${model.config.maxPositions} positions of ${startFrom}.`,
    })
  }
  const weights = [...model.weights.values()]
  return {
    tokens: createReaderTokens(model.tokenizerJson, model.tokenizerConfig, startFrom),
    profile,
    parameters: weights.reduce((sum, { length }) => sum + length, 0),
    identity: { kind: 'embedded', config: model.config, tokenizer: model.tokenizerJson },
    createPolicy: (restoreFrom) =>
      createEmbeddedPolicy({
        name: `embedded:${startFrom}`,
        config: model.config,
        weights: model.weights,
        folder: config.output,
        restoreFrom,
        threads,
        batchTokens,
        rowTokens: profile.budget.window,
      }),
    async exportModel(state, folder) {
      const saved = await loadTrainingState(state)
      const withBudget = model.profile && { ...model.profile, budget: profile.budget }
      await saveModelFolder(folder, { ...model, weights: saved.weights, profile: withBudget })
    },
  }
}
