/** Runs of conversations as one client finds them: nobody continues what a request with another key has read. */
import type { CheckpointStore } from '@memagent/core'
import type { RunWriter } from '@memagent/store'
import type { Owner } from '../safety/keys.ts'

/** @param owner undefined if no keys are needed: equal requests are then the same run, whoever asks */
export function ownRun(run: RunWriter, owner: Owner): CheckpointStore {
  if (owner === undefined) return run
  return {
    get name() {
      return run.name
    },
    isWrittenFirst: run.isWrittenFirst,
    keepsEvents: run.keepsEvents,
    load: (identity) => run.load({ ...identity, owner }),
    save: (checkpoint) => run.save(checkpoint),
    append: (entries) => run.append(entries),
    readLog: () => run.readLog(),
  }
}
