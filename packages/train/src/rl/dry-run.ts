/**
 * What a training run will cost, before it starts: a step's documents of every stage, and one of every length of an
 * evaluation, are read with a stand-in for the policy that fills every memory to its limit.
 */
import type { Json, Workflow } from '@memagent/core'
import { createRandom, type Task } from '@memagent/tasks'
import type { SampledResponse, SampleRequest } from '../policy/policy.ts'
import { type RlConfig, rescores, totalSteps } from './config.ts'
import type { TrainingEngine } from './engine.ts'
import type { ReaderTokens } from './policy-chat-model.ts'
import { rewardMetric } from './reward-metric.ts'
import { rollOut } from './rollout.ts'

export interface DryRunOptions {
  readonly config: RlConfig
  readonly engine: TrainingEngine
  readonly workflow: Workflow<Json>
  readonly task: Task
  readonly evaluationTask: Task
  readonly signal?: AbortSignal | undefined
}

/** What is paid for, or computed. Upper bounds: memories are at their limit. */
export interface TokenCounts {
  /** Read by the sampler; what rollouts of a group share is counted for each. */
  readonly promptTokens: number
  readonly sampledTokens: number
  /** Prompt and response of every conversation, once for the gradient. */
  readonly trainedTokens: number
  /** The same for log-probabilities: the reference's, and the policy's own where they are not those recorded. */
  readonly scoredTokens: number
}

/** One step, every group drawn once. */
export interface DryRunStep extends TokenCounts {
  readonly rollouts: number
  readonly conversations: number
  /** Of the documents, each counted once. */
  readonly documentTokens: number
  readonly longestConversation: number
}

export interface DryRunReport {
  /** Of the first stage. */
  readonly step: DryRunStep
  readonly steps: number
  /** The curriculum's, in order. */
  readonly stages: readonly { readonly steps: number; readonly step: DryRunStep }[]
  /** How often the groups of a step are drawn at most. */
  readonly draws: number
  readonly evaluations: number
  /** Of one evaluation. */
  readonly evaluation: TokenCounts
  /** All steps with all draws, and all evaluations. */
  readonly total: TokenCounts
  /** 6 x parameters a trained token, 2 x a token otherwise; undefined when the engine does not tell its parameters. */
  readonly flopsPerStep: number | undefined
  readonly flops: number | undefined
}

/** @throws what reading throws, so that prompts beyond the window, or a metric that is none, are found before it costs */
export async function dryRun(options: DryRunOptions): Promise<DryRunReport> {
  const { config, engine } = options
  const { draws } = config.rollouts
  const stages: { steps: number; step: DryRunStep }[] = []
  for (const { steps, lengths } of config.curriculum) {
    stages.push({ steps, step: await drawStep(options, lengths) })
  }
  const steps = totalSteps(config)
  const evaluation = await readEvaluation(options)
  const { every } = config.evaluation
  // Before the first step, and after the last.
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
  }
}

/** A step's tokens when its groups are drawn that often: only so many as asked for are trained on. */
export const withDraws = (step: TokenCounts, draws: number): TokenCounts => ({
  promptTokens: draws * step.promptTokens,
  sampledTokens: draws * step.sampledTokens,
  trainedTokens: step.trainedTokens,
  scoredTokens: step.scoredTokens,
})

async function drawStep(options: DryRunOptions, lengths: readonly number[]): Promise<DryRunStep> {
  const { config, task } = options
  const { groups, groupSize } = config.rollouts
  let [documentTokens, promptTokens, sampledTokens, trainedTokens, conversations, longest] = [
    0, 0, 0, 0, 0, 0,
  ]
  for (let index = 0; index < groups; index++) {
    const lengthTokens = createRandom('length', config.seed, index).pick(lengths)
    documentTokens += lengthTokens
    // The rollouts of a group cost the same: one is read.
    const sizes = await readOne(options, task, { index, seed: config.seed, lengthTokens })
    conversations += groupSize * sizes.length
    for (const size of sizes) {
      promptTokens += groupSize * size.prompt
      sampledTokens += groupSize * size.response
      trainedTokens += groupSize * (size.prompt + size.response)
      longest = Math.max(longest, size.prompt + size.response)
    }
  }
  return {
    rollouts: groups * groupSize,
    conversations,
    documentTokens,
    promptTokens,
    sampledTokens,
    trainedTokens,
    scoredTokens: Math.round(scoringPasses(config) * trainedTokens),
    longestConversation: longest,
  }
}

async function readEvaluation(options: DryRunOptions): Promise<TokenCounts> {
  const { config, evaluationTask } = options
  const { lengths, samples, seed } = config.evaluation
  let [promptTokens, sampledTokens] = [0, 0]
  for (const lengthTokens of lengths) {
    // Documents of a length cost about the same: one is read.
    for (const size of await readOne(options, evaluationTask, { index: 0, seed, lengthTokens })) {
      promptTokens += samples * size.prompt
      sampledTokens += samples * size.response
    }
  }
  return { promptTokens, sampledTokens, trainedTokens: 0, scoredTokens: 0 }
}

interface ConversationSize {
  readonly prompt: number
  readonly response: number
}

async function readOne(
  { config, engine, workflow, signal }: DryRunOptions,
  task: Task,
  request: { readonly index: number; readonly seed: number; readonly lengthTokens: number },
): Promise<ConversationSize[]> {
  const { profile, tokens } = engine
  const countTokens = (text: string) => tokens.tokenizer.count(text)
  const { conversations, metrics } = await rollOut({
    task,
    sample: await task.sample({ ...request, countTokens }),
    workflow,
    profile,
    tokens,
    sampleTokens: standIn(tokens),
    sampling: { temperature: 1, topP: 1, seed: request.index },
    signal,
  })
  rewardMetric(metrics, config.reward.metric)
  return conversations.map(({ promptTokens, response }) => ({
    prompt: promptTokens.length,
    response: response.tokens.length,
  }))
}

/** Passes over all that is trained on, for log-probabilities alone. */
function scoringPasses(config: RlConfig): number {
  const { updates } = config
  const reference = config.loss.klCoefficient > 0 ? 1 : 0
  const later = (updates - 1) / updates
  if (rescores(config)) return reference + 1 + later
  // A server is asked for the present ones before any gradient; the embedded engine gives them along with it.
  return reference + later + (config.engine.kind === 'tinker' ? 1 / updates : 0)
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

/** Writes notes up to the limit, and an answer that is in a box. */
function standIn({ tokenizer, endToken }: ReaderTokens) {
  const words = tokenizer.encode(' A note about something that the text said in this part.')
  const answer = tokenizer.encode(' \\boxed{unknown}')
  return async ({ maxTokens }: SampleRequest): Promise<SampledResponse> => {
    const filler = Array.from({ length: maxTokens - 1 }, (_, i) => words[i % words.length]!)
    const tokens = [...filler.slice(0, -answer.length), ...answer.slice(0, maxTokens - 1), endToken]
    return { tokens, logprobs: new Float32Array(tokens.length), stopReason: 'stop' }
  }
}
