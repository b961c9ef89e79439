/** Runs many readings at the same time, for training and for evaluation. */
import type { Json, ModelProfile, Sampling, Workflow } from '@memagent/core'
import { createRandom, type Sample, type Task } from '@memagent/tasks'
import type { FrozenPolicy } from '../policy/policy.ts'
import { Lockstep } from './lockstep.ts'
import { type OnProgress, ReadingsProgress } from './progress.ts'
import type { ReaderTokens } from './reader-tokens.ts'
import { type Rollout, rollOut } from './rollout.ts'

/** The reader: the same for training and evaluation. */
export interface Reading {
  readonly workflow: Workflow<Json>
  readonly profile: ModelProfile
  readonly tokens: ReaderTokens
  /** `lockstep` is exactly reproducible; `free` suits a cluster. @default 'free' */
  readonly order?: 'lockstep' | 'free' | undefined
}

export interface ReadingJob {
  readonly sample: Sample
  readonly sampling: Sampling
}

/**
 * Runs all jobs at the same time. The first failure ends the others.
 * @param reduce selects what to keep of a rollout once it ends
 * @param recover returns a substitute for a rollout that failed, or throws the error. @default throws
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
  recover?: (error: unknown) => Result,
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
        const rollout = await rollOut({ ...options, ...job, policy, onRead, signal }).then(
          (read) => reduce(read, job),
          recover,
        )
        progress.end(i)
        return rollout
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

/** The lockstep of each job's lane; samples are dealt to lanes in turn, with all their readings. */
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
