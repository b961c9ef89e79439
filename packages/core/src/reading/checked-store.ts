import { CheckpointError, MemAgentError } from '../errors.ts'
import { messageOf } from '../message-of.ts'
import type { CheckpointStore } from './checkpoint.ts'

/** Wraps a store: errors that are not memagent's own, such as a full disk, become a CheckpointError. */
export function checkedStore(store: CheckpointStore): CheckpointStore {
  const checked = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    try {
      return await work()
    } catch (cause) {
      if (MemAgentError.isInstance(cause)) throw cause
      const of = store.name === undefined ? '' : ` ${store.name}`
      throw new CheckpointError({
        code: 'checkpoint/store-failed',
        message: `The store of the checkpoint${of} failed: ${messageOf(cause)}`,
        cause,
      })
    }
  }
  return {
    // Some stores know their name only once they are loaded.
    get name() {
      return store.name
    },
    isWrittenFirst: store.isWrittenFirst,
    keepsEvents: store.keepsEvents,
    load: (identity) => checked(() => store.load(identity)),
    save: (checkpoint) => checked(() => store.save(checkpoint)),
    append: (entries) => checked(() => store.append(entries)),
    readLog: () => checked(() => store.readLog()),
  }
}
