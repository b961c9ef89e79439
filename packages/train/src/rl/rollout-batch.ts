/** The rollouts of one step: groups of readings of the same document, drawn until enough of them carry signal. */
import type { Json, ModelProfile, Sampling, Workflow } from '@memagent/core'
import { createRandom, type Sample, type Task } from '@memagent/tasks'
import type { FrozenPolicy } from '../policy/policy.ts'
import { hasSignal } from './advantages.ts'
import { Lockstep } from './lockstep.ts'
import { after, type OnProgress, ReadingsProgress } from './progress.ts'
import type { ReaderTokens } from './reader-tokens.ts'
import { earnedReward, type OverlongOptions, overlongReward, type Reward } from './rewards.ts'
import { type Rollout, rollOut } from './rollout.ts'
import { SamplesAhead } from './samples-ahead.ts'

export interface RolloutGroup {
  /** Index of the sample in the task. */
  readonly index: number
  readonly sample: Sample
  readonly lengthTokens: number
  readonly rollouts: readonly Rollout[]
  /** [rollouts] For the answer only: decides whether there is anything to learn. */
  readonly earned: readonly number[]
  /** [rollouts] The same with the punishment of overlong responses; advantages are computed from these. */
  readonly rewards: readonly number[]
}

/** The reader: the same for training and evaluation. */
export interface Reading {
  readonly workflow: Workflow<Json>
  readonly profile: ModelProfile
  readonly tokens: ReaderTokens
  /** `lockstep` repeats itself exactly; `free` suits a cluster. @default 'free' */
  readonly order?: 'lockstep' | 'free' | undefined
}

export interface RolloutBatchOptions extends Reading {
  readonly policy: FrozenPolicy
  readonly task: Task
  /** Samples of the task; passed from batch to batch, it prepares the next ones. @default each is made when needed */
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
  /** Whether anything can be learned from a group. @default whether its answers earned differently */
  readonly isInstructive?: ((group: RolloutGroup) => boolean) | undefined
  /** Samples drawn in all earlier steps: the next one's index. @default 0 */
  readonly drawnBefore?: number | undefined
  /** Rollouts of all draws so far; the number of draws is not known beforehand. */
  readonly onProgress?: OnProgress | undefined
  readonly signal?: AbortSignal | undefined
}

export interface RolloutBatch {
  /** The requested number, if enough were drawn. Groups without signal only fill up. */
  readonly groups: readonly RolloutGroup[]
  readonly drawn: number
  /** Among those drawn. */
  readonly withSignal: number
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
 * Draws samples of the task and reads each of them `groupSize` times, until `groups` of them are instructive or `draws` are used
 * up. With `lockstep`, the same options give the same batch.
 * @throws what reading throws
 */
export async function drawRolloutBatch(options: RolloutBatchOptions): Promise<RolloutBatch> {
  const { draws = 1, drawnBefore = 0, isInstructive = ({ earned }) => hasSignal(earned) } = options
  const kept: RolloutGroup[] = []
  const idle: RolloutGroup[] = []
  let drawn = 0
  let all: DrawnSums = { rollouts: 0, rewards: 0, keptMemories: 0, sampledTokens: 0, promptTokens: 0 }
  for (let draw = 0; draw < draws && kept.length < options.groups; draw++) {
    const count = options.groups - kept.length
    const indices = Array.from({ length: count }, (_, i) => drawnBefore + drawn + i)
    drawn += count
    const onProgress = options.onProgress && after(all.rollouts, options.onProgress)
    for (const group of await rollOutGroups(indices, { ...options, onProgress })) {
      all = withGroup(all, group)
      if (isInstructive(group)) kept.push(group)
      else if (idle.length < options.groups) idle.push(group)
    }
  }
  const missing = Math.max(0, options.groups - kept.length)
  return { groups: [...kept, ...idle.slice(0, missing)], drawn, withSignal: kept.length, all }
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
): Promise<RolloutGroup[]> {
  const { task, seed, tokens, groupSize, ahead = new SamplesAhead(task) } = options
  const requestOf = (index: number) => ({
    index,
    seed,
    lengthTokens: createRandom('length', seed, index).pick(options.lengths),
    countTokens: (text: string) => tokens.tokenizer.count(text),
  })
  const samples = await Promise.all(
    indices.map(requestOf).map(async (request) => ({ ...request, sample: await ahead.take(request) })),
  )
  const next = indices.at(-1)! + 1
  ahead.prepare(Array.from({ length: options.groups }, (_, i) => requestOf(next + i)))
  const rollouts = await rollOutAll(
    samples.flatMap(({ sample, index }) =>
      Array.from({ length: groupSize }, (_, member) => ({
        sample,
        sampling: { ...options.sampling, seed: seedOf('rollout', seed, index, member) },
      })),
    ),
    options,
    (rollout) => rollout,
  )
  return samples.map(({ index, lengthTokens, sample }, i) => {
    const own = rollouts.slice(i * groupSize, (i + 1) * groupSize)
    const { reward, overlong } = options
    const earned = own.map((rollout) => earnedReward(reward, rollout, sample))
    const rewards = overlong
      ? earned.map((earning, member) => earning + overlongReward(own[member]!.conversations, overlong))
      : earned
    return { index, lengthTokens, sample, rollouts: own, earned, rewards }
  })
}

export interface ReadingJob {
  readonly sample: Sample
  readonly sampling: Sampling
}

/**
 * Reads all of them at the same time. The first failure ends the others.
 * @param reduce selects what is kept of a rollout once it ends
 */
export async function rollOutAll<Result>(
  jobs: readonly ReadingJob[],
  options: Reading & {
    readonly policy: FrozenPolicy
    readonly task: Task
    readonly onProgress?: OnProgress | undefined
    readonly signal?: AbortSignal | undefined
  },
  reduce: (rollout: Rollout, job: ReadingJob) => Result,
): Promise<Result[]> {
  const stepping = options.order === 'lockstep' ? inLanes(jobs, options.policy) : undefined
  const failing = new AbortController()
  const signal = options.signal ? AbortSignal.any([options.signal, failing.signal]) : failing.signal
  const progress = new ReadingsProgress(jobs.length, options.onProgress ?? (() => undefined))
  const results = await Promise.allSettled(
    jobs.map(async (job, i) => {
      const lockstep = stepping?.[i]
      try {
        const policy = lockstep?.of(i) ?? options.policy
        const onRead = (share: number) => progress.read(i, share)
        const rollout = await rollOut({ ...options, ...job, policy, onRead, signal })
        progress.end(i)
        return reduce(rollout, job)
      } catch (error) {
        failing.abort(error)
        throw error
      } finally {
        lockstep?.end(i)
      }
    }),
  )
  options.signal?.throwIfAborted()
  return results.map((result) => {
    if (result.status === 'fulfilled') return result.value
    throw failing.signal.aborted ? failing.signal.reason : result.reason
  })
}

/** For each job, the lockstep of its lane; samples are dealt to lanes in turn, with all their readings. */
function inLanes(jobs: readonly ReadingJob[], policy: FrozenPolicy): Lockstep[] {
  const { lanes = 1 } = policy
  const samples = [...new Set(jobs.map((job) => job.sample))]
  const laneOf = new Map(samples.map((one, i) => [one, i % lanes]))
  const steps = Array.from({ length: lanes }, (_, lane) => {
    const members = [...jobs.keys()].filter((i) => laneOf.get(jobs[i]!.sample) === lane)
    return new Lockstep((request, signal) => policy.sample({ ...request, lane }, signal), members)
  })
  return jobs.map((job) => steps[laneOf.get(job.sample)!]!)
}

export const seedOf = (...keys: (string | number)[]) => createRandom(...keys).int(2 ** 31)
