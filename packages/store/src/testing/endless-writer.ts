/** Writes steps of a run until it fails; may freeze itself. Prints `writes` once it is writing, then the code of the error. */
import { setTimeout } from 'node:timers/promises'
import { MemAgentError } from '@memagent/core'
import { openTested } from './drivers.ts'
import { description } from './short-run.ts'

const [location = '', document = '', ending = ''] = process.argv.slice(2)
const store = await openTested(location, 3000)
const run = store.begin(description)
const identity = { document }
await run.load(identity)
const usage = { promptTokens: 0, completionTokens: 0, calls: 0, chunkTokens: 0, bytes: 0, keptMemories: 0 }
try {
  for (let steps = 1; ; steps++) {
    await run.save({
      version: 2,
      identity,
      sequence: steps,
      steps,
      position: { ordinal: steps, characters: steps, textHash: '0123456789abcdef' },
      state: null,
      usage,
      seconds: 0,
      memoryLogLength: 0,
      warnings: [],
      isDone: false,
    })
    if (steps === 3) {
      process.stdout.write('writes\n')
      // Between two steps: a process frozen during a write would block all others.
      if (ending === 'freezes') process.kill(process.pid, 'SIGSTOP')
    }
    await setTimeout(10)
  }
} catch (error) {
  process.stdout.write(`${MemAgentError.isInstance(error) ? error.code : String(error)}\n`)
}
await store.close()
