/**
 * Samples are locked: `sample-hashes.json` has hashes of the first 200 of every task, so moving code cannot change them
 * unnoticed. Trained weights and recorded results depend on these samples. `npm run check:samples` compares all of them,
 * the tests the first few.
 */
import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { canonicalJson } from '@memagent/core'
import { tasks } from '../registry.ts'
import type { Sample, Task } from '../task.ts'
import { countTokensRoughly as countTokens } from './fixtures.ts'
import type { SampleInputs } from './sample-inputs.ts'
import { textOf } from './task-contract.ts'

/** A task with options, and the hashes of its samples. */
export interface RecordedSamples {
  readonly task: string
  /** Without the prose and the paths of synthetic files. */
  readonly options: Readonly<Record<string, unknown>>
  readonly lengthTokens: number
  /** Hashes after each number of samples in `hashedAfter`; missing until they are recorded. */
  readonly hashes?: readonly string[]
}

export interface SampleRecord {
  /** Hash of the prose and files that samples are drawn from. */
  readonly inputs: string
  readonly entries: readonly RecordedSamples[]
}

/** Sample counts at which hashes are taken: the first hash that differs brackets the first change. */
export const hashedAfter = [1, 2, 5, 10, 20, 50, 100, 200] as const

/** What to do if samples are not as recorded. */
export const advice =
  'Trained weights and recorded results depend on the samples as they were. If the change is not intended, undo it (an ' +
  'order or a random draw that moved is the usual cause); if it is, record the samples again: npm run check:samples -- --write'

const recordPath = join(import.meta.dirname, '__fixtures__/sample-hashes.json')
const seed = 1

export const readSampleRecord = async (): Promise<SampleRecord> =>
  JSON.parse(await readFile(recordPath, 'utf8'))

/** One entry per line, so a diff shows which samples changed. */
export async function writeSampleRecord({ inputs, entries }: SampleRecord): Promise<void> {
  const lines = entries.map((entry) => `    ${JSON.stringify(entry)}`)
  const text = `{\n  "inputs": ${JSON.stringify(inputs)},\n  "entries": [\n${lines.join(',\n')}\n  ]\n}\n`
  await writeFile(recordPath, text)
}

/** `multi-hop {"hops":2}, 2000 tokens` */
export const nameOf = ({ task, options, lengthTokens }: Omit<RecordedSamples, 'hashes'>): string =>
  `${task} ${canonicalJson(options)}, ${lengthTokens} tokens`

/** @throws TaskError as the task does */
export async function taskOf(
  { task, options }: Pick<RecordedSamples, 'task' | 'options'>,
  inputs: SampleInputs,
): Promise<Task> {
  const create = tasks[task as keyof typeof tasks] as (options: object) => Promise<Task>
  return create(inputs.complete(task, options))
}

/** Hashes over a task's first samples, `count` at most. @throws TaskError as the task does */
export async function hashSamples(
  task: Pick<Task, 'sample'>,
  lengthTokens: number,
  count: number,
): Promise<readonly string[]> {
  const hash = createHash('sha256')
  const hashes: string[] = []
  for (let index = 0; index < count; index += 1) {
    const sample = await task.sample({ index, seed, lengthTokens, countTokens })
    hash.update(await serialize(sample))
    if (hashedAfter.some((after) => after === index + 1)) hashes.push(hash.copy().digest('hex').slice(0, 12))
  }
  return hashes
}

/**
 * Names the first sample that is not as recorded, as closely as the hashes allow.
 * @param found hashes of the same number of samples or fewer
 * @returns undefined if the samples are as recorded
 */
export function differenceFrom(recorded: RecordedSamples, found: readonly string[]): string | undefined {
  const { hashes } = recorded
  if (hashes === undefined) return `${nameOf(recorded)}: no samples are recorded yet`
  const differing = found.findIndex((hash, i) => hash !== hashes[i])
  if (differing < 0) return undefined
  const [first, last] = [hashedAfter[differing - 1] ?? 0, hashedAfter[differing]! - 1]
  const indices = first === last ? `at index ${first}` : `at an index from ${first} to ${last}`
  return `${nameOf(recorded)}: the first sample that is not as recorded is ${indices}`
}

/** Everything in a sample that a reader or a verifier sees, independent of field order. */
async function serialize(sample: Sample): Promise<string> {
  const { sizeBytes, textStarts } = sample.document
  // Some documents are named by a path, whose folder differs between machines.
  const name = basename(sample.document.name)
  const document = { name, sizeBytes, textStarts, text: await textOf(sample) }
  return `${canonicalJson({ ...sample, notes: undefined, statements: undefined, document })}\n`
}
