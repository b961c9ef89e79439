/** What a training run needs from its engine: policies, tokens, the model's profile, and a way to export weights. */
import { createHash } from 'node:crypto'
import { basename, join } from 'node:path'
import {
  ConfigurationError,
  type ModelProfile,
  type PromptSet,
  paperProfile,
  type WindowBudget,
  writtenPrompts,
} from '@memagent/core'
import { parseProfile } from '@memagent/core/settings'
import {
  loadModelFolder,
  loadTokenizerFiles,
  saveModelFolder,
  type TokenizerFiles,
  weightsDigest,
} from '@memagent/engine'
import { createEmbeddedPolicy } from '../policy/embedded-policy.ts'
import { loadTrainingState, optimizerStepsOf } from '../policy/embedded-state.ts'
import type { Policy } from '../policy/policy.ts'
import { noReference } from '../tinker/frozen-policy.ts'
import { resolveProfile } from '../tinker/profiles.ts'
import { createTinkerPolicy } from '../tinker/tinker-policy.ts'
import { checkEngineConfig, type EngineConfig, type EngineSettings } from './engine-config.ts'
import { createReaderTokens, type ReaderTokens } from './reader-tokens.ts'

/** Pass your own to `trainRl` in place of the configured one. */
export interface TrainingEngine {
  readonly tokens: ReaderTokens
  readonly profile: ModelProfile
  /**
   * Whether a server samples and trains. All rollouts are then requested at once unless the configuration says otherwise, and
   * the log-probabilities of sampler and trainer may differ.
   */
  readonly isRemote: boolean
  /** Undefined if the engine does not report it. */
  readonly parameters: number | undefined
  /** Identity of the weights and tokenizer that training starts from, as JSON. A run cannot resume with others. */
  readonly identity: unknown
  /** Whatever else changes what the engine computes: shapes, templates, threads. @default nothing */
  readonly settings?: unknown
  /** Describes the weights that training starts from, for the log. @default omitted */
  readonly startFrom?: string | undefined
  createPolicy(restoreFrom?: string): Promise<Policy>
  /** Optimizer steps up to a saved state. Undefined if the engine does not report them. */
  optimizerSteps?(state: string): Promise<number>
  /** Exports a saved state as a model that can be served. Undefined if the server keeps it. */
  exportModel?(state: string, folder: string): Promise<void>
}

export interface TrainingEngineOptions {
  /** Folder for states and models. */
  readonly output: string
  /** Name of exported models. @default the last part of `output` */
  readonly name?: string | undefined
  /** Workflows that profiles of exported models list as trained for; the first is the default. @default overwrite */
  readonly workflows?: readonly string[] | undefined
  /** @default the model's own */
  readonly budget?: WindowBudget | undefined
  /** A name among the workflow's sets, or another set. @default the model's own */
  readonly prompts?: string | PromptSet | undefined
  /** Sampling temperature of rollouts. Servers train only at 1. @default 1 */
  readonly temperature?: number | undefined
  /** Seed of a new LoRA's weights. */
  readonly seed?: number | undefined
  /** Rejects a server without a reference: the loss has a KL term, or rollouts come from the start. @default false */
  readonly needsReference?: boolean | undefined
}

/**
 * Creates the configured engine: on this machine from a model folder, or on a Tinker server, which is not contacted before
 * `createPolicy`.
 * @throws ConfigurationError; EngineError for an incomplete folder
 */
export async function createTrainingEngine(
  settings: EngineSettings,
  options: TrainingEngineOptions,
): Promise<TrainingEngine> {
  const checked = checkEngineConfig(settings)
  return checked.kind === 'embedded' ? embeddedEngine(checked, options) : tinkerEngine(checked, options)
}

async function embeddedEngine(
  { startFrom, threads, batchTokens, rowTokens }: EngineConfig & { readonly kind: 'embedded' },
  { output, name = basename(output), workflows, budget, prompts, temperature }: TrainingEngineOptions,
): Promise<TrainingEngine> {
  const model = await loadModelFolder(startFrom)
  const profile = profileOf(model, { workflows, budget, prompts })
  if (profile.budget.window > model.config.maxPositions) {
    throw new ConfigurationError({
      code: 'train/window',
      message: `The window of ${profile.budget.window} tokens exceeds the ${model.config.maxPositions} positions of ${startFrom}.`,
    })
  }
  if (rowTokens !== undefined && rowTokens < profile.budget.window) {
    throw new ConfigurationError({
      code: 'train/row-tokens',
      message: `engine.rowTokens is ${rowTokens}, but a conversation may fill the window of ${profile.budget.window} tokens, and must fit a row.`,
      hint: 'Raise engine.rowTokens to the window, or leave it out.',
    })
  }
  const weights = [...model.weights.values()]
  return {
    tokens: createReaderTokens(model.tokenizerJson, model.tokenizerConfig, startFrom),
    profile,
    isRemote: false,
    parameters: weights.reduce((sum, { length }) => sum + length, 0),
    identity: { kind: 'embedded', weights: hashOf(weights), tokenizer: model.tokenizerJson },
    startFrom: `weights ${await weightsDigest(startFrom)}`,
    // Sums of floats depend on how they are split.
    settings: { model: model.config, templates: model.tokenizerConfig, threads, batchTokens, rowTokens },
    createPolicy: (restoreFrom) =>
      createEmbeddedPolicy({
        name: `embedded:${startFrom}`,
        config: model.config,
        weights: model.weights,
        folder: output,
        restoreFrom,
        temperature,
        threads,
        batchTokens,
        rowTokens: rowTokens ?? profile.budget.window,
      }),
    optimizerSteps: (state) => optimizerStepsOf(join(output, state)),
    async exportModel(state, folder) {
      const saved = await loadTrainingState(join(output, state))
      const ownProfile = {
        ...model.profile,
        name,
        budget: profile.budget,
        workflows: profile.workflows,
        ...(prompts && { prompts: writtenPrompts(prompts) }),
      }
      await saveModelFolder(folder, { ...model, weights: saved.weights, profile: ownProfile })
    },
  }
}

async function tinkerEngine(
  settings: EngineConfig & { readonly kind: 'tinker' },
  { workflows, budget, prompts, seed, needsReference }: TrainingEngineOptions,
): Promise<TrainingEngine> {
  const { baseModel, server, baseUrl, loraRank, conformance } = settings
  const serverProfile = resolveProfile(server)
  const { reduction, maskKey, gradientClip, optimizerFields } = serverProfile
  if (needsReference && serverProfile.reference === 'none') throw noReference(serverProfile.name)
  const files = await loadTokenizerFiles(settings.tokenizer)
  return {
    tokens: createReaderTokens(files.tokenizerJson, files.tokenizerConfig, settings.tokenizer),
    profile: profileOf(files, { workflows, budget, prompts }),
    isRemote: true,
    parameters: undefined,
    identity: { kind: 'tinker', baseModel, loraRank, tokenizer: files.tokenizerJson },
    startFrom: `${baseModel}, as the server has it`,
    settings: { templates: files.tokenizerConfig, reduction, maskKey, gradientClip, optimizerFields },
    createPolicy: (restoreFrom) =>
      createTinkerPolicy({
        baseModel,
        profile: server,
        baseUrl,
        loraRank,
        conformance,
        seed,
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

function profileOf(
  files: TokenizerFiles,
  {
    workflows = ['overwrite'],
    budget,
    prompts,
  }: Pick<TrainingEngineOptions, 'workflows' | 'budget' | 'prompts'>,
): ModelProfile {
  const own = files.profile ? parseProfile(files.profile) : paperProfile
  return { ...own, workflows, ...(budget && { budget }), ...(prompts && { prompts }) }
}
