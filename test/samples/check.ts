/**
 * Draws the samples whose hashes are recorded, and compares them:
 *
 *   npm run check:samples                        # ends with 1 when any is not as recorded
 *   npm run check:samples -- --task multi-hop    # of one task
 *   npm run check:samples -- --write             # records them again, after an intended change
 *
 * To record a task, or options, that are not there yet, add a line without hashes to
 * `packages/tasks/src/testing/__fixtures__/sample-hashes.json` and run it with `--write`.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import {
  advice,
  differenceFrom,
  hashedAfter,
  hashSamples,
  nameOf,
  type RecordedSamples,
  readSampleRecord,
  taskOf,
  writeSampleRecord,
} from '../../packages/tasks/src/testing/recorded-samples.ts'
import { makeSampleInputs, type SampleInputs } from '../../packages/tasks/src/testing/sample-inputs.ts'

const { values: options } = parseArgs({
  options: { write: { type: 'boolean', default: false }, task: { type: 'string' } },
})
const count = hashedAfter.at(-1)!
const folder = await mkdtemp(join(tmpdir(), 'memagent-samples-'))
try {
  process.exitCode = await check(await makeSampleInputs(folder))
} finally {
  await rm(folder, { recursive: true })
}

/** @returns the exit code */
async function check(inputs: SampleInputs): Promise<number> {
  const record = await readSampleRecord()
  const isWanted = ({ task }: RecordedSamples) => options.task === undefined || task === options.task
  const wanted = record.entries.filter(isWanted)
  if (wanted.length === 0) {
    console.error(`No samples are recorded of a task named ${options.task}.`)
    return 1
  }
  const hasOtherInputs = record.inputs !== inputs.hash
  if (hasOtherInputs) console.log('The made prose and files that the samples are drawn from have changed.')
  let [changed, failed] = [0, 0]
  const entries: RecordedSamples[] = []
  for (const entry of record.entries) {
    const hashes = isWanted(entry) ? await draw(entry, inputs) : undefined
    const difference = hashes && differenceFrom(entry, hashes)
    if (isWanted(entry) && hashes === undefined) failed += 1
    if (difference !== undefined) {
      changed += 1
      console.log(difference)
    }
    entries.push(hashes ? { ...entry, hashes } : entry)
  }
  const told = `${count} samples each of ${wanted.length} tasks with options and lengths`
  if (options.write && failed === 0) {
    const isWhole = wanted.length === entries.length
    await writeSampleRecord({ inputs: isWhole ? inputs.hash : record.inputs, entries })
    console.log(`Recorded ${told}; ${changed} of them are not what they were.`)
    return 0
  }
  if (changed + failed > 0 || hasOtherInputs) {
    console.log(`${changed + failed} of ${wanted.length} are not as recorded. ${advice}.`)
    return 1
  }
  console.log(`As recorded: ${told}.`)
  return 0
}

/** @returns undefined when the task or a sample cannot be made, which is reported */
async function draw(entry: RecordedSamples, inputs: SampleInputs): Promise<readonly string[] | undefined> {
  try {
    return await hashSamples(await taskOf(entry, inputs), entry.lengthTokens, count)
  } catch (cause) {
    console.log(`${nameOf(entry)}: samples cannot be drawn: ${(cause as Error).message}`)
    return undefined
  }
}
