/** Frozen weights on a Tinker server: snapshots, and the reference. */
import { ConfigurationError } from '@memagent/core'
import type { FrozenPolicy } from '../policy/policy.ts'
import { TinkerError } from './errors.ts'
import type { Sampler } from './sampler.ts'

export interface TinkerSnapshot extends FrozenPolicy {
  /** Refuses new calls and waits for running ones: the server is about to sample from other weights. */
  retire(): Promise<void>
}

export function createSnapshot(sampler: Sampler): TinkerSnapshot {
  const running = new Set<Promise<unknown>>()
  let end: 'closed' | 'retired' | undefined
  const run = <T>(task: () => Promise<T>): Promise<T> => {
    if (end !== undefined) return Promise.reject(ended(end))
    const result = task()
    const settled = result.then(
      () => undefined,
      () => undefined,
    )
    running.add(settled)
    settled.then(() => running.delete(settled))
    return result
  }
  return {
    sample: (request, signal) => run(() => sampler.sample(request, signal)),
    logprobs: (sequences, signal) => run(() => sampler.logprobs(sequences, signal)),
    async close() {
      end ??= 'closed'
    },
    async retire() {
      end ??= 'retired'
      await Promise.all(running)
    },
  }
}

const ended = (end: 'closed' | 'retired'): TinkerError =>
  end === 'closed'
    ? new TinkerError({ code: 'tinker/closed', message: 'This snapshot has been closed.' })
    : new TinkerError({
        code: 'tinker/stale-snapshot',
        message: 'A newer snapshot has replaced this one: the server holds only the newest weights.',
        hint: 'Finish the rollouts of a snapshot before taking the next.',
      })

/** @param open makes the sampler of the base model, on first use */
export function createReference(open: () => Promise<Sampler>): FrozenPolicy {
  let sampler: Promise<Sampler> | undefined
  const opened = () => {
    sampler ??= open().catch((error: unknown) => {
      sampler = undefined
      throw error
    })
    return sampler
  }
  return {
    sample: async (request, signal) => (await opened()).sample(request, signal),
    logprobs: async (sequences, signal) => (await opened()).logprobs(sequences, signal),
    close: async () => undefined,
  }
}

/** For servers that cannot evaluate the base model. */
export function missingReference(profileName: string): FrozenPolicy {
  const refuse = async (): Promise<never> => {
    throw noReference(profileName)
  }
  return { sample: refuse, logprobs: refuse, close: async () => undefined }
}

export const noReference = (profileName: string): ConfigurationError =>
  new ConfigurationError({
    code: 'tinker/no-reference',
    message: `A server of the profile ${profileName} cannot sample from the base model, so there is no reference policy.`,
    hint: 'Train without a KL term (klCoefficient 0), or choose a server that keeps the base model.',
  })
