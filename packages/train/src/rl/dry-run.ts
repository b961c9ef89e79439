/** Bounds the cost of a training run before it starts: a step of every stage at its longest, and an evaluation. */
import { ConfigurationError } from '@memagent/core'
import { totalSteps } from '../schedule.ts'
import { readConfig } from '../yaml-config.ts'
import { checkRlConfig, parseRlConfig, type RlSettings, rescores } from './config.ts'
import { nothingReadable } from './pass-over.ts'
import { costliestOf, costliestReading, type ReadingCost } from './reading-cost.ts'
import { savedRunOf } from './saved-run.ts'
import { createTrainingParts, type GivenParts, type TrainingParts } from './training-parts.ts'

export interface DryRunOptions extends GivenParts {
  readonly signal?: AbortSignal | undefined
}

/** Tokens paid for or computed. Upper bounds: memories at their limit, documents at their longest. */
export interface TokenCounts {
  /** Read by the sampler; tokens that a group's rollouts share count for each of them. */
  readonly promptTokens: number
  readonly sampledTokens: number
  /** Prompt and response of every conversation, once for the gradient. */
  readonly trainedTokens: number
  /** The same for log-probabilities: the reference's, and the policy's own if recomputed. */
  readonly scoredTokens: number
}

/** One step, every group drawn once, at the longest of its lengths. */
export interface DryRunStep extends TokenCounts {
  readonly rollouts: number
  readonly conversations: number
  /** Tokens of the documents, each counted once. */
  readonly documentTokens: number
  readonly longestConversation: number
}

export interface DryRunReport {
  /** A step of the first stage. */
  readonly step: DryRunStep
  readonly steps: number
  /** The curriculum's stages, in order. */
  readonly stages: readonly { readonly steps: number; readonly step: DryRunStep }[]
  /** How many times a step may draw its groups. */
  readonly draws: number
  readonly evaluations: number
  /** Tokens of one evaluation. */
  readonly evaluation: TokenCounts
  /** All steps with all draws, and all evaluations. */
  readonly total: TokenCounts
  /** 6 x parameters per trained token, 2 x per other token; undefined if the engine does not report its parameters. */
  readonly flopsPerStep: number | undefined
  readonly flops: number | undefined
  /** Warnings about the configuration, the same as the run's, and the lengths of several at which no document can be read. */
  readonly notices: readonly string[]
}

/**
 * Predicts what `trainRl` would cost with the same settings and options, without calling its engine.
 * @throws what reading throws, and what a run that cannot write to its folder does: finds prompts beyond the window, stages
 *   without a length at which a document can be read, or an unknown metric before they cost anything
 */
export async function dryRun(settings: RlSettings, options: DryRunOptions = {}): Promise<DryRunReport> {
  const parts = await createTrainingParts(checkRlConfig(settings), options)
  await savedRunOf(parts)
  const { config, engine } = parts
  const { signal } = options
  const { draws } = config.rollouts
  const stages: { steps: number; step: DryRunStep }[] = []
  const unread = new Map<number, string>()
  for (const { steps, lengths } of config.curriculum) {
    stages.push({ steps, step: await drawStep(parts, lengths, unread, signal) })
  }
  const steps = totalSteps(config.curriculum)
  const evaluation = await readEvaluation(parts, signal)
  const { every } = config.evaluation
  // Includes one before the first step and one after the last.
  const evaluations = 1 + Math.ceil(steps / every)
  const total = sumOf([
    ...stages.map((stage) => times(stage.steps, withDraws(stage.step, draws))),
    times(evaluations, evaluation),
  ])
  const { parameters } = engine
  const flopsOf = ({ promptTokens, sampledTokens, trainedTokens, scoredTokens }: TokenCounts) =>
    parameters && parameters * (6 * trainedTokens + 2 * (promptTokens + sampledTokens + scoredTokens))
  const { step } = stages[0]!
  return {
    step,
    steps,
    stages,
    draws,
    evaluations,
    evaluation,
    total,
    flopsPerStep: flopsOf(withDraws(step, draws)),
    flops: flopsOf(total),
    notices: [...parts.notices, ...[...unread].map(unreadNotice)],
  }
}

/** Like `dryRun`, from a YAML file. @param options.settings overrides of the file's fields @throws as `dryRun` */
export async function dryRunFromConfig(
  path: string,
  { settings, ...options }: DryRunOptions & { readonly settings?: readonly string[] | undefined } = {},
): Promise<DryRunReport> {
  return dryRun(parseRlConfig(await readConfig(path), path, settings), options)
}

/** A step's tokens if its groups are drawn this many times; only the requested number of groups is trained on. */
export const withDraws = (step: TokenCounts, draws: number): TokenCounts => ({
  promptTokens: draws * step.promptTokens,
  sampledTokens: draws * step.sampledTokens,
  trainedTokens: step.trainedTokens,
  scoredTokens: step.scoredTokens,
})

/** Samples that are tried before one of several lengths is taken for unreadable. */
const leastTried = 8

const unreadNotice = ([length, reason]: readonly [number, string]) =>
  `No sample drawn at ${length} tokens can be read: ${reason} Groups of this length are passed over, and a run ends at a step that draws no other.`

/** @param unread receives those of several lengths at which nothing can be read, and why @throws if all are */
async function drawStep(
  parts: TrainingParts,
  lengths: readonly number[],
  unread: Map<number, string>,
  signal: AbortSignal | undefined,
): Promise<DryRunStep> {
  const { config, task } = parts
  const { seed } = config
  const { groups, groupSize, draws } = config.rollouts
  // Each group draws one of the lengths.
  const drawnLengths = [...new Set(task.keepsLength ? [Math.max(...lengths)] : lengths)]
  const drawn = groups * draws
  const samples = {
    // One of several lengths may have other samples than the first.
    drawn: drawnLengths.length === 1 ? drawn : Math.max(drawn, leastTried),
    all: drawn * totalSteps(config.curriculum),
    where: 'the lengths of the curriculum',
  }
  const costs: ReadingCost[] = []
  const reasons: string[] = []
  for (const lengthTokens of drawnLengths) {
    try {
      costs.push(await costliestReading(parts, { task, seed, lengthTokens, ...samples }, signal))
    } catch (error) {
      if (!ConfigurationError.isInstance(error) || error.code !== 'train/unreadable-samples') throw error
      const why = error.details?.reasons as readonly string[]
      reasons.push(...why)
      if (drawnLengths.length > 1) unread.set(lengthTokens, why[0]!)
    }
  }
  if (costs.length === 0) throw nothingReadable(task.name, drawnLengths, samples.where, reasons)
  const cost = costliestOf(costs)
  const rollouts = groups * groupSize
  const [promptTokens, sampledTokens] = [rollouts * cost.promptTokens, rollouts * cost.sampledTokens]
  const trainedTokens = promptTokens + sampledTokens
  return {
    rollouts,
    conversations: rollouts * cost.conversations,
    documentTokens: groups * cost.documentTokens,
    promptTokens,
    sampledTokens,
    trainedTokens,
    scoredTokens: Math.round(scoringPasses(parts) * trainedTokens),
    longestConversation: cost.longestConversation,
  }
}

async function readEvaluation(parts: TrainingParts, signal: AbortSignal | undefined): Promise<TokenCounts> {
  const { config, evaluationTask: task } = parts
  const { lengths, samples, seed } = config.evaluation
  let [promptTokens, sampledTokens] = [0, 0]
  for (const lengthTokens of lengths) {
    const measured = { drawn: samples, all: samples, where: 'evaluation.lengths' }
    const cost = await costliestReading(parts, { task, seed, lengthTokens, ...measured }, signal)
    promptTokens += samples * cost.promptTokens
    sampledTokens += samples * cost.sampledTokens
  }
  return { promptTokens, sampledTokens, trainedTokens: 0, scoredTokens: 0 }
}

/** Passes over all trained conversations for log-probabilities only. */
function scoringPasses({ config, engine }: TrainingParts): number {
  const { updates } = config
  const reference = config.loss.klCoefficient > 0 ? 1 : 0
  const later = (updates - 1) / updates
  if (rescores(config, engine)) return reference + 1 + later
  // A server computes current log-probabilities before any gradient; the embedded engine returns them with it.
  return reference + later + (engine.isRemote ? 1 / updates : 0)
}

const sumOf = (all: readonly TokenCounts[]): TokenCounts =>
  all.reduce((a, b) => ({
    promptTokens: a.promptTokens + b.promptTokens,
    sampledTokens: a.sampledTokens + b.sampledTokens,
    trainedTokens: a.trainedTokens + b.trainedTokens,
    scoredTokens: a.scoredTokens + b.scoredTokens,
  }))

const times = (factor: number, counts: TokenCounts): TokenCounts => ({
  promptTokens: factor * counts.promptTokens,
  sampledTokens: factor * counts.sampledTokens,
  trainedTokens: factor * counts.trainedTokens,
  scoredTokens: factor * counts.scoredTokens,
})
