/** Runs of conversations, as one client finds them: nobody goes on with what another key's request has read. */
import { setTimeout } from 'node:timers/promises'
import { type Checkpoint, type CheckpointStore, MemAgentError } from '@memagent/core'
import type { RunWriter } from '@memagent/store'
import type { Owner } from '../safety/keys.ts'

export interface OwnRunOptions {
  /** Undefined where no keys are needed: the same request is then the same run, whoever asks. */
  readonly owner: Owner
  readonly signal: AbortSignal
}

/** Between two looks at whether the run was let go. */
const lookMs = 200
/** A request that was given up ends with the call that is under way: its client may send it again before that. */
const mostWaitMs = 15_000

/** The run of a request. It waits a while for another request that is reading it. @throws from `load` the `store/run-in-use` after that */
export function ownRun(run: RunWriter, { owner, signal }: OwnRunOptions): CheckpointStore {
  const endMs = Date.now() + mostWaitMs
  const load = async (identity: Parameters<CheckpointStore['load']>[0]): Promise<Checkpoint | undefined> => {
    try {
      return await run.load(owner === undefined ? identity : { ...identity, owner })
    } catch (error) {
      if (!isInUse(error) || Date.now() > endMs) throw error
    }
    await setTimeout(lookMs, undefined, { signal }).catch(() => signal.throwIfAborted())
    return load(identity)
  }
  return {
    get name() {
      return run.name
    },
    isWrittenFirst: run.isWrittenFirst,
    keepsEvents: run.keepsEvents,
    load,
    save: (checkpoint) => run.save(checkpoint),
    append: (entries) => run.append(entries),
    readLog: () => run.readLog(),
  }
}

export const isInUse = (error: unknown): boolean =>
  MemAgentError.isInstance(error) && error.code === 'store/run-in-use'
