/** Metrics of a training step. Names and meanings must not change: recorded logs depend on them. */
import { deviation, hasAdvantage, mean } from './advantages.ts'
import type { TrainingConversation } from './batch-loss.ts'
import type { UpdateMetrics } from './learn.ts'
import { meanMetrics } from './mean-metrics.ts'
import type { RolloutBatch } from './rollout-batch.ts'

export interface StepMetrics extends Omit<UpdateMetrics, 'seconds'> {
  /** Mean over the rollouts of the batch; groups without signal count, too, where `draws` did not find enough others. */
  readonly reward: number
  /** Over all rollouts of this step, replaced groups included: what the policy earns and costs. */
  readonly rewardDrawn: number
  readonly keptMemoriesDrawn: number
  readonly sampledTokensDrawn: number
  readonly promptTokensDrawn: number
  /** Mean of the groups' standard deviations. */
  readonly groupDeviation: number
  readonly groupsDrawn: number
  readonly groupsWithSignal: number
  /** Drawn samples that could not be read. */
  readonly groupsPassedOver: number
  /** Means of the task's metrics over the rollouts that have them, for answers as a person would read them. */
  readonly metrics: Readonly<Record<string, number>>
  readonly conversationsPerRollout: number
  /**
   * Mean length of the responses that rewrite or edit the memory, after a chunk or from reports, and the share that reached the
   * limit. Undefined if a step has none.
   */
  readonly memoryTokens: number | undefined
  readonly memoriesCut: number | undefined
  readonly keptMemories: number
  /** Share of the rollouts whose final response does not end in a closed box. */
  readonly withoutBox: number
  readonly learningRate: number
  /** Sampled tokens and prompt tokens of the groups learned from. */
  readonly sampledTokens: number
  readonly promptTokens: number
  /** The same for conversations with an advantage only: without a baseline, those of right rollouts. */
  readonly sampledTokensCredited: number
  readonly promptTokensCredited: number
  readonly seconds: {
    readonly generation: number
    readonly reference: number
    readonly forward: number
    readonly forwardBackward: number
    readonly optimStep: number
    readonly total: number
  }
}

export interface StepResult {
  readonly metrics: StepMetrics
  readonly samplesDrawn: number
}

/** @param times in milliseconds: when the step began, its rollouts were done, their scores were there, and it ended */
export function stepMetrics(
  batch: RolloutBatch,
  scored: {
    readonly conversations: readonly TrainingConversation[]
    readonly samplerMismatch?: number
  },
  { seconds, ...learned }: UpdateMetrics,
  learningRate: number,
  times: {
    readonly startMs: number
    readonly rolledOutMs: number
    readonly scoredMs: number
    readonly endMs: number
  },
): StepMetrics {
  const { startMs, rolledOutMs, scoredMs, endMs } = times
  const credited = scored.conversations.filter(hasAdvantage)
  return {
    ...learned,
    samplerMismatch: scored.samplerMismatch ?? learned.samplerMismatch,
    ...describeRollouts(batch),
    sampledTokensCredited: credited.reduce((sum, { responseTokens }) => sum + responseTokens.length, 0),
    promptTokensCredited: credited.reduce((sum, { promptTokens }) => sum + promptTokens.length, 0),
    learningRate,
    seconds: {
      ...seconds,
      generation: (rolledOutMs - startMs) / 1000,
      reference: (scoredMs - rolledOutMs) / 1000,
      total: (endMs - startMs) / 1000,
    },
  }
}

const meanOfAny = (values: readonly number[]): number | undefined =>
  values.length === 0 ? undefined : mean(values)

/** Metrics of a batch, apart from learning. */
export function describeRollouts({ groups, drawn, withSignal, passedOver, all }: RolloutBatch) {
  const rollouts = groups.flatMap((group) => group.rollouts)
  const conversations = rollouts.flatMap((rollout) => rollout.conversations)
  const rewrites = conversations.filter(({ tag }) => tag.kind === 'update' || tag.kind === 'merge')
  return {
    reward: mean(groups.flatMap(({ rewards }) => rewards)),
    rewardDrawn: all.rollouts === 0 ? 0 : all.rewards / all.rollouts,
    keptMemoriesDrawn: all.keptMemories,
    sampledTokensDrawn: all.sampledTokens,
    promptTokensDrawn: all.promptTokens,
    groupDeviation: mean(groups.map(({ rewards }) => deviation(rewards))),
    groupsDrawn: drawn,
    groupsWithSignal: withSignal,
    groupsPassedOver: passedOver,
    metrics: meanMetrics(rollouts.map(({ metrics }) => metrics)),
    conversationsPerRollout: rollouts.length === 0 ? 0 : conversations.length / rollouts.length,
    memoryTokens: meanOfAny(rewrites.map(({ responseTokens }) => responseTokens.length)),
    memoriesCut: meanOfAny(rewrites.map(({ isCut }) => Number(isCut))),
    withoutBox: mean(rollouts.map(({ isBoxed }) => Number(!isBoxed))),
    keptMemories: rollouts.reduce((sum, { keptMemories }) => sum + keptMemories, 0),
    sampledTokens: conversations.reduce((sum, { responseTokens }) => sum + responseTokens.length, 0),
    promptTokens: conversations.reduce((sum, { promptTokens }) => sum + promptTokens.length, 0),
  }
}
