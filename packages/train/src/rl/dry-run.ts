/**
 * What a training run will cost, before it starts: the first step's documents are read with a stand-in for the policy that
 * fills every memory to its limit, and everything that would be trained on is built.
 */
import type { Json, Workflow } from '@memagent/core'
import { createRandom, type Task } from '@memagent/tasks'
import type { SampledResponse, SampleRequest } from '../policy/policy.ts'
import { type RlConfig, totalSteps } from './config.ts'
import type { TrainingEngine } from './engine.ts'
import type { ReaderTokens } from './policy-chat-model.ts'
import { rewardMetric } from './reward-metric.ts'
import { type Rollout, rollOut } from './rollout.ts'

export interface DryRunOptions {
  readonly config: RlConfig
  readonly engine: TrainingEngine
  readonly workflow: Workflow<Json>
  readonly task: Task
  readonly signal?: AbortSignal | undefined
}

/** Token counts of one step, memories at their limit: upper bounds. */
export interface DryRunStep {
  readonly rollouts: number
  readonly conversations: number
  /** Of the documents, each counted once. */
  readonly documentTokens: number
  /** Read by the sampler; what rollouts of a group share is counted for each. */
  readonly promptTokens: number
  readonly sampledTokens: number
  /** Prompt and response of every conversation, once for the gradient. */
  readonly trainedTokens: number
  /** The same for the reference's log-probabilities, and for the present ones before all updates but the first. */
  readonly scoredTokens: number
  readonly longestConversation: number
}

export interface DryRunReport {
  readonly step: DryRunStep
  readonly steps: number
  /** 6 x parameters a trained token, 2 x a token otherwise; undefined when the engine does not tell its parameters. */
  readonly flopsPerStep: number | undefined
}

/** @throws what reading throws, so that prompts beyond the window, or a metric that is none, are found before it costs */
export async function dryRun(options: DryRunOptions): Promise<DryRunReport> {
  const { config, engine, task } = options
  const { groups, groupSize } = config.rollouts
  const countTokens = (text: string) => engine.tokens.tokenizer.count(text)
  const lengths = config.curriculum[0]!.lengths
  let [documentTokens, promptTokens, sampledTokens, conversations, longest] = [0, 0, 0, 0, 0]
  for (let index = 0; index < groups; index++) {
    const lengthTokens = createRandom('length', config.seed, index).pick(lengths)
    const sample = await task.sample({ index, seed: config.seed, lengthTokens, countTokens })
    documentTokens += lengthTokens
    // The rollouts of a group cost the same: one is read.
    const rollout = await rollOut({
      ...options,
      task,
      sample,
      profile: engine.profile,
      tokens: engine.tokens,
      sampleTokens: standIn(engine.tokens),
      temperature: 1,
      topP: 1,
      seed: index,
    })
    rewardMetric(rollout.metrics, config.reward.metric)
    const sizes = sizesOf(rollout)
    conversations += groupSize * sizes.length
    for (const { prompt, response } of sizes) {
      promptTokens += groupSize * prompt
      sampledTokens += groupSize * response
      longest = Math.max(longest, prompt + response)
    }
  }
  const trainedTokens = promptTokens + sampledTokens
  const passes = (config.loss.klCoefficient > 0 ? 1 : 0) + (config.updates - 1) / config.updates
  const step: DryRunStep = {
    rollouts: groups * groupSize,
    conversations,
    documentTokens,
    promptTokens,
    sampledTokens,
    trainedTokens,
    scoredTokens: Math.round(passes * trainedTokens),
    longestConversation: longest,
  }
  const { parameters } = engine
  return {
    step,
    steps: totalSteps(config),
    flopsPerStep: parameters && parameters * (6 * trainedTokens + 2 * (trainedTokens + step.scoredTokens)),
  }
}

const sizesOf = ({ conversations }: Rollout) =>
  conversations.map(({ promptTokens, response }) => ({
    prompt: promptTokens.length,
    response: response.tokens.length,
  }))

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
