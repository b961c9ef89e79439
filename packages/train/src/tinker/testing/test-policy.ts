/** A policy on the test server, with simulated time. */
import type { Policy } from '../../policy/policy.ts'
import type { ServerProfile, ServerProfileName } from '../profiles.ts'
import { tinkerProfiles } from '../profiles.ts'
import { createTinkerPolicy, type TinkerPolicyOptions } from '../tinker-policy.ts'
import type { Faults } from './faults.ts'
import { type ProtocolServer, startProtocolServer } from './protocol-server.ts'
import { type ServerBehaviour, serverBehaviours } from './server-behaviour.ts'

export interface TestPolicy extends AsyncDisposable {
  readonly policy: Policy
  readonly server: ProtocolServer
  /** The client's waits in milliseconds, one by one. */
  readonly pauses: number[]
  readonly notices: string[]
}

export interface TestPolicyOptions extends Partial<TinkerPolicyOptions> {
  /** A server to share; it is not closed. */
  readonly server?: ProtocolServer | undefined
  readonly behaviour?: (Partial<ServerBehaviour> & { readonly faults?: Faults | undefined }) | undefined
  readonly changes?: Partial<ServerProfile> | undefined
}

/** A `sleep` that records pauses instead of waiting for them. */
export function impatience(): {
  pauses: number[]
  sleep: (ms: number, signal?: AbortSignal) => Promise<void>
} {
  const pauses: number[] = []
  return {
    pauses,
    sleep: async (ms, signal) => {
      signal?.throwIfAborted()
      pauses.push(ms)
      await new Promise((resolve) => setTimeout(resolve, 1))
    },
  }
}

/** A server that behaves as `name`, and a policy with the matching profile. */
export async function openTestPolicy(
  name: ServerProfileName,
  { server: shared, behaviour, changes, ...options }: TestPolicyOptions = {},
): Promise<TestPolicy> {
  const server = shared ?? (await startProtocolServer({ ...serverBehaviours[name], ...behaviour }))
  const { pauses, sleep } = impatience()
  const notices: string[] = []
  const profile = { ...tinkerProfiles[name], ...changes }
  try {
    const policy = await createTinkerPolicy({
      baseModel: 'tiny-qwen3',
      profile,
      baseUrl: server.baseUrl,
      apiKey: 'tml-test',
      environment: {},
      loraRank: (profile.tuning as readonly string[]).includes('lora') ? 8 : 0,
      conformance: 'none',
      onNotice: (message) => notices.push(message),
      effects: { sleep },
      ...options,
    })
    return {
      policy,
      server,
      pauses,
      notices,
      async [Symbol.asyncDispose]() {
        await policy.close()
        if (!shared) await server.close()
      },
    }
  } catch (error) {
    if (!shared) await server.close()
    throw error
  }
}
