/** The rollouts of one step: groups of readings of one document each, drawn until enough groups carry signal. */
import type { Sampling } from '@memagent/core'
import { createRandom, type Sample, type Task } from '@memagent/tasks'
import type { FrozenPolicy } from '../policy/policy.ts'
import { hasSignal } from './advantages.ts'
import { nothingReadable, PassedOver, passOver } from './pass-over.ts'
import { after, type OnProgress } from './progress.ts'
import { type Reading, rollOutAll, seedOf } from './readings.ts'
import { earnedReward, type OverlongOptions, overlongReward, type Reward } from './rewards.ts'
import type { Rollout } from './rollout.ts'
import { SamplesAhead } from './samples-ahead.ts'

export interface RolloutGroup {
  /** Index of the sample in the task. */
  readonly index: number
  readonly sample: Sample
  readonly lengthTokens: number
  readonly rollouts: readonly Rollout[]
  /** [rollouts] Rewards without the punishment; decide whether there is anything to learn. */
  readonly earned: readonly number[]
  /** [rollouts] Rewards with the punishment of overlong responses; advantages are computed from these. */
  readonly rewards: readonly number[]
}

export interface RolloutBatchOptions extends Reading {
  readonly policy: FrozenPolicy
  readonly task: Task
  /** Prepares the next samples if passed from batch to batch. @default each is made when needed */
  readonly ahead?: SamplesAhead | undefined
  readonly seed: number
  /** Lengths to draw from. */
  readonly lengths: readonly number[]
  readonly groups: number
  readonly groupSize: number
  /** Each rollout has a seed of its own. */
  readonly sampling: Omit<Sampling, 'seed'>
  readonly reward: Reward
  /** An additional punishment. @default none */
  readonly overlong?: OverlongOptions | undefined
  /** How many times groups may be drawn, to replace those without signal; 1 replaces none. @default 1 */
  readonly draws?: number | undefined
  /** Whether anything can be learned from a group. @default whether its rewards differ */
  readonly isInstructive?: ((group: RolloutGroup) => boolean) | undefined
  /** Samples drawn in all earlier steps; also the next one's index. @default 0 */
  readonly drawnBefore?: number | undefined
  /** Counts the rollouts of all draws so far; the number of draws is not known beforehand. */
  readonly onProgress?: OnProgress | undefined
  readonly signal?: AbortSignal | undefined
}

export interface RolloutBatch {
  /** The requested number, if enough were drawn. Groups without signal only fill the gaps. */
  readonly groups: readonly RolloutGroup[]
  readonly drawn: number
  /** Among those drawn. */
  readonly withSignal: number
  /** Also among those drawn: no document could be made, or it could not be read. */
  readonly passedOver: number
  /** Sums over all groups drawn, replaced ones included. */
  readonly all: DrawnSums
}

export interface DrawnSums {
  readonly rollouts: number
  readonly rewards: number
  readonly keptMemories: number
  readonly sampledTokens: number
  readonly promptTokens: number
}

/**
 * Draws samples of the task and reads each `groupSize` times, until `groups` groups are instructive or `draws` are used up.
 * Passes over samples that cannot be read. With `lockstep`, the same options give the same batch.
 * @throws ConfigurationError if none can be read; what reading throws otherwise
 */
export async function drawRolloutBatch(options: RolloutBatchOptions): Promise<RolloutBatch> {
  const { draws = 1, drawnBefore = 0, isInstructive = ({ earned }) => hasSignal(earned) } = options
  const kept: RolloutGroup[] = []
  const idle: RolloutGroup[] = []
  const reasons: string[] = []
  let [drawn, begun] = [0, 0]
  let all: DrawnSums = { rollouts: 0, rewards: 0, keptMemories: 0, sampledTokens: 0, promptTokens: 0 }
  for (let draw = 0; draw < draws && kept.length < options.groups; draw++) {
    const count = options.groups - kept.length
    const indices = Array.from({ length: count }, (_, i) => drawnBefore + drawn + i)
    drawn += count
    const onProgress = options.onProgress && after(begun, options.onProgress)
    for (const group of await rollOutGroups(indices, { ...options, onProgress })) {
      if (group instanceof PassedOver) {
        reasons.push(group.reason)
        begun += group.begun
        continue
      }
      begun += options.groupSize
      all = withGroup(all, group)
      if (isInstructive(group)) kept.push(group)
      else if (idle.length < options.groups) idle.push(group)
    }
  }
  if (reasons.length === drawn) {
    throw nothingReadable(options.task.name, options.lengths, 'the lengths of the curriculum', reasons)
  }
  const missing = Math.max(0, options.groups - kept.length)
  return {
    groups: [...kept, ...idle.slice(0, missing)],
    drawn,
    withSignal: kept.length,
    passedOver: reasons.length,
    all,
  }
}

function withGroup(sums: DrawnSums, { rollouts, rewards }: RolloutGroup): DrawnSums {
  const conversations = rollouts.flatMap((rollout) => rollout.conversations)
  const sum = (start: number, values: readonly number[]) => values.reduce((a, b) => a + b, start)
  return {
    rollouts: sums.rollouts + rollouts.length,
    rewards: sum(sums.rewards, rewards),
    keptMemories: sum(
      sums.keptMemories,
      rollouts.map(({ keptMemories }) => keptMemories),
    ),
    sampledTokens: sum(
      sums.sampledTokens,
      conversations.map(({ responseTokens }) => responseTokens.length),
    ),
    promptTokens: sum(
      sums.promptTokens,
      conversations.map(({ promptTokens }) => promptTokens.length),
    ),
  }
}

async function rollOutGroups(
  indices: readonly number[],
  options: RolloutBatchOptions,
): Promise<(RolloutGroup | PassedOver)[]> {
  const { task, seed, tokens, groupSize, reward, overlong, ahead = new SamplesAhead(task) } = options
  const requestOf = (index: number) => ({
    index,
    seed,
    lengthTokens: createRandom('length', seed, index).pick(options.lengths),
    countTokens: (text: string) => tokens.tokenizer.count(text),
  })
  const samples = await Promise.all(
    indices
      .map(requestOf)
      .map(async (request) => ({ ...request, sample: await ahead.take(request).catch(passOver) })),
  )
  const next = indices.at(-1)! + 1
  ahead.prepare(Array.from({ length: options.groups }, (_, i) => requestOf(next + i)))
  const jobs = samples.flatMap(({ sample, index }) =>
    sample instanceof PassedOver
      ? []
      : Array.from({ length: groupSize }, (_, member) => ({
          index,
          sample,
          sampling: { ...options.sampling, seed: seedOf('rollout', seed, index, member) },
        })),
  )
  const rollouts = await rollOutAll<Rollout | PassedOver>(jobs, options, (rollout) => rollout, passOver)
  return samples.map(({ index, lengthTokens, sample }) => {
    if (sample instanceof PassedOver) return sample
    const all = rollouts.filter((_, i) => jobs[i]!.index === index)
    const own = all.filter((one): one is Rollout => !(one instanceof PassedOver))
    const unread = all.find((one) => one instanceof PassedOver)
    if (unread) return new PassedOver(unread.reason, groupSize)
    const earned = own.map((rollout) => earnedReward(reward, rollout, sample))
    const rewards = overlong
      ? earned.map((earning, member) => earning + overlongReward(own[member]!.conversations, overlong))
      : earned
    return { index, lengthTokens, sample, rollouts: own, earned, rewards }
  })
}
