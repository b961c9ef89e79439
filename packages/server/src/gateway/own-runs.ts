/** Runs of conversations, as one client finds them: nobody goes on with what another key's request has read. */
import type { CheckpointStore } from '@memagent/core'
import type { RunWriter } from '@memagent/store'
import type { Owner } from '../safety/keys.ts'

/** @param owner undefined where no keys are needed: the same request is then the same run, whoever asks */
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
