/**
 * The states that a run saved since it was started. What it no longer names is deleted: those of a large model are tens of
 * gigabytes each, and hosted services charge for them. States of before the start stay, since a copy of the run's folder
 * may name them as well.
 */
import type { Policy } from '../policy/policy.ts'

export class OwnStates {
  readonly #policy: Pick<Policy, 'saveState' | 'deleteState'>
  readonly #states = new Set<string>()

  constructor(policy: Pick<Policy, 'saveState' | 'deleteState'>) {
    this.#policy = policy
  }

  /** @returns what `Policy.saveState` gives @throws what it throws */
  async save(name: string, signal?: AbortSignal): Promise<string> {
    const state = await this.#policy.saveState(name, signal)
    this.#states.add(state)
    return state
  }

  /** Never throws: a state that cannot be deleted now is tried again the next time. */
  async keepOnly(kept: readonly (string | undefined)[], signal?: AbortSignal): Promise<void> {
    for (const state of [...this.#states].filter((own) => !kept.includes(own))) {
      await this.#policy.deleteState(state, signal).then(
        () => this.#states.delete(state),
        () => false,
      )
    }
  }
}
