/** Makes each sample once for all methods that use it, then drops it. */
import { TaskError } from '@memagent/core'
import type { Sample } from '@memagent/tasks'
import { hasOwnLength } from './document-tokens.ts'
import type { Job } from './plan.ts'

export interface MadeSample {
  readonly sample: Sample
  /** Whether its document has a length of its own, and not the one asked for. */
  readonly keepsLength: boolean
}

export class SamplePool {
  readonly #make: (job: Job) => Promise<MadeSample>
  readonly #samples = new Map<string, { made?: Promise<MadeSample>; users: number }>()

  /** @param countTokens of the model */
  constructor(jobs: readonly Job[], seed: number, countTokens: (text: string) => number) {
    this.#make = async (job) => {
      const { task, lengthTokens, index } = job
      const sample = await task.task.sample({ index, seed, lengthTokens, countTokens })
      const keepsLength = await hasOwnLength(task.task, sample, lengthTokens, countTokens)
      return { sample: checkLength(job, sample), keepsLength }
    }
    for (const job of jobs) {
      const entry = this.#samples.get(nameOf(job))
      if (entry) entry.users++
      else this.#samples.set(nameOf(job), { users: 1 })
    }
  }

  /** The sample of a job. @throws what the task throws, and TaskError for a document that is far too short */
  sample(job: Job): Promise<MadeSample> {
    const entry = this.#samples.get(nameOf(job))!
    entry.made ??= this.#make(job)
    return entry.made
  }

  /** Call it when the job is done. */
  release(job: Job): void {
    const entry = this.#samples.get(nameOf(job))!
    if (--entry.users === 0) this.#samples.delete(nameOf(job))
  }
}

/** A token is at least a byte; half of that allows for tasks that only come near the length. */
const leastBytesPerToken = 0.5

/** A result at 3.5 million tokens must not come from a document of one line. */
function checkLength({ task, lengthTokens }: Job, sample: Sample): Sample {
  const { sizeBytes } = sample.document
  if (task.task.keepsLength || sizeBytes === undefined || sizeBytes >= leastBytesPerToken * lengthTokens) {
    return sample
  }
  throw new TaskError({
    code: 'bench/short-document',
    message: `The document of ${sample.id} has ${sizeBytes} bytes, and was to have ${lengthTokens} tokens.`,
    hint: `If the documents of ${task.name} have lengths of their own, the task says so: \`keepsLength: true\`. Otherwise it makes them as long as \`lengthTokens\`.`,
    details: { task: task.name, lengthTokens, sizeBytes },
  })
}

const nameOf = ({ task, lengthTokens, index }: Job) => `${task.name}/${lengthTokens}/${index}`
