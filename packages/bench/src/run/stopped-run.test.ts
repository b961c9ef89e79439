/** A stopped and restarted run loses no finished sample and asks nothing twice. */
import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { ChatError, type Checkpoint, type Script } from '@memagent/core'
import { temporaryFolder } from '@memagent/core/testing'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createMethod } from '../methods/registry.ts'
import type { BenchRecord } from '../record.ts'
import { runBenchmark } from './run-benchmark.ts'
import { removeEmptyFolder, SampleCheckpoint } from './sample-checkpoint.ts'
import { madePlan, numberTask, plannedTask, rightAnswers, wide } from './testing/made-plan.ts'
import { recordsIn } from './testing/records-in.ts'

const folder = temporaryFolder(beforeEach, afterEach)
let output: string
beforeEach(() => {
  output = folder.join('record.jsonl')
})

/** Reads in small chunks, keeping every prompt; call number `failsAt` fails. */
const readingPlan = async (failsAt?: number) => {
  const prompts: string[] = []
  const script: Script = ({ messages: [message] }) => {
    prompts.push(message!.content)
    if (prompts.length === failsAt)
      return new ChatError({ code: 'chat/server-fault', message: 'it fell over' })
    if (!message!.content.includes('<section>')) return 'It is \\boxed{1100}.'
    // A warning and a new memory at every chunk.
    const finishReason = { unified: 'length', raw: 'length' } as const
    return {
      text: `After ${1 + Number(/After (\d+)/.exec(message!.content)?.[1] ?? 0)} chunks. `,
      finishReason,
    }
  }
  const method = await createMethod('overwrite:chunk=32,memory=20')
  const plan = madePlan({
    output,
    tasks: [plannedTask(numberTask(), { 300: 1 })],
    methods: [{ method, workflow: 'overwrite' }],
    script,
  })
  return { prompts, plan }
}

/** All but what differs between any two runs. */
const told = ({ finishedAt, seconds, usage: { modelMs, ...usage }, ...rest }: BenchRecord) => ({
  ...rest,
  usage,
})

describe('a sample that failed', () => {
  it('resumes from its checkpoint when repeated, and is recorded as if it had not failed', async () => {
    const whole = await readingPlan()
    await runBenchmark(whole.plan)
    const [expected] = await recordsIn(output)
    const calls = whole.prompts.length
    expect(calls).toBeGreaterThan(8)
    expect(expected!.trace!.length).toBeGreaterThan(3)
    expect(existsSync(`${output}.checkpoints`)).toBe(false)

    output = folder.join('again.jsonl')
    // Fails midway, again a little later, and at the final call.
    const [first, second, third, last] = [
      await readingPlan(6),
      await readingPlan(3),
      await readingPlan(calls - 5 - 2),
      await readingPlan(),
    ]
    for (const [i, { plan }] of [first, second, third, last].entries()) {
      await runBenchmark(plan, { retryFailed: i > 0 })
    }
    expect(first.prompts).toEqual(whole.prompts.slice(0, 6))
    expect(second.prompts).toEqual(whole.prompts.slice(5, 8))
    expect(third.prompts).toEqual(whole.prompts.slice(7))
    expect(last.prompts).toEqual(whole.prompts.slice(-1))
    const lines = await recordsIn(output)
    expect(lines.map(({ error }) => error?.code)).toEqual([...Array(3).fill('chat/server-fault'), undefined])
    // The whole trace, every warning and every call, once.
    expect(told(lines.at(-1)!)).toEqual(told(expected!))
    expect(lines.at(-1)!.usage.calls).toBe(calls)
    expect(existsSync(`${output}.checkpoints`)).toBe(false)
  })

  it('starts over if the settings changed or the checkpoint is damaged', async () => {
    await runBenchmark((await readingPlan(6)).plan)
    const files = readdirSync(`${output}.checkpoints`)
    const [name] = files.filter((file) => file.endsWith('.json'))
    expect(files.length).toBeGreaterThan(1)
    writeFileSync(`${output}.checkpoints/${name}`, '{"version":')
    const again = await readingPlan()
    await runBenchmark(again.plan, { retryFailed: true })
    const whole = await readingPlan()
    await runBenchmark({ ...whole.plan, output: folder.join('whole.jsonl') })
    expect(again.prompts).toEqual(whole.prompts)
    expect(existsSync(`${output}.checkpoints`)).toBe(false)

    output = folder.join('settings.jsonl')
    await runBenchmark((await readingPlan(6)).plan)
    const other = await readingPlan()
    const path = folder.join('other.jsonl')
    renameSync(`${output}.checkpoints`, `${path}.checkpoints`)
    await runBenchmark({ ...other.plan, output: path, settings: { weights: 'others' } })
    expect(other.prompts).toEqual(whole.prompts)
  })

  it('also resumes where the run was stopped', async () => {
    const controller = new AbortController()
    const { plan, prompts } = await readingPlan()
    const stopping: typeof plan.model = {
      ...plan.model,
      generate: (...call) => {
        if (prompts.length === 5) controller.abort(new Error('stopped'))
        return plan.model.generate(...call)
      },
    }
    const stopped = runBenchmark({ ...plan, model: stopping }, { signal: controller.signal })
    await expect(stopped).rejects.toThrow('stopped')
    expect(await recordsIn(output)).toEqual([])
    const next = await readingPlan()
    let tokens = 0
    await runBenchmark(next.plan, { onProgress: (progress) => ({ tokens } = progress) })
    const whole = await readingPlan()
    let wholeTokens = 0
    await runBenchmark(
      { ...whole.plan, output: folder.join('whole.jsonl') },
      { onProgress: (progress) => ({ tokens: wholeTokens } = progress) },
    )
    expect(next.prompts).toEqual(whole.prompts.slice(5))
    // The record counts all calls, the progress only those of this run.
    expect(tokens).toBeGreaterThan(0)
    expect(tokens).toBeLessThan(wholeTokens)
    const [record, expected] = [await recordsIn(output), await recordsIn(folder.join('whole.jsonl'))]
    expect(record.map(told)).toEqual(expected.map(told))
  })

  it('ends the run if its checkpoint cannot be written', async () => {
    writeFileSync(`${output}.checkpoints`, 'a file')
    const { plan } = await readingPlan(6)
    await expect(runBenchmark(plan)).rejects.toMatchObject({ code: 'checkpoint/unwritable' })
  })
})

describe('a checkpoint of a sample', () => {
  const step = (steps: number) => ({ steps, sequence: steps }) as Checkpoint

  it('is on the disk a few seconds after the last time, for a run that is killed', async () => {
    let now = 0
    const checkpoint = new SampleCheckpoint(output, 'a sample', () => now)
    await checkpoint.load()
    await checkpoint.save(step(1))
    now = 4999
    await checkpoint.save(step(2))
    expect(existsSync(`${output}.checkpoints`)).toBe(false)
    now = 5000
    await checkpoint.save(step(3))
    const [file] = readdirSync(`${output}.checkpoints`)
    expect(JSON.parse(readFileSync(`${output}.checkpoints/${file}`, 'utf8'))).toEqual(step(3))
    await checkpoint.save(step(4))
    expect(JSON.parse(readFileSync(`${output}.checkpoints/${file}`, 'utf8'))).toEqual(step(3))
  })

  it('leaves the folder to those of samples that are still read', async () => {
    const [ended, read] = ['one', 'other'].map((name) => new SampleCheckpoint(output, name, () => 0))
    await ended!.save(step(1))
    await ended!.write()
    await ended!.remove()
    // Removing the folder here could take it from under the other sample's write.
    expect(readdirSync(`${output}.checkpoints`)).toEqual([])
    await read!.save(step(1))
    await read!.write()
    await removeEmptyFolder(output)
    expect(readdirSync(`${output}.checkpoints`)).toHaveLength(1)
    await read!.remove()
    await removeEmptyFolder(output)
    expect(existsSync(`${output}.checkpoints`)).toBe(false)
  })
})

describe('a run that was stopped', () => {
  it('records nothing of unfinished samples, and continues with the rest', async () => {
    const controller = new AbortController()
    let calls = 0
    const script: Script = async (call) => {
      if (++calls === 10) controller.abort(new Error('stopped'))
      await new Promise((resolve) => setTimeout(resolve, 1))
      return (rightAnswers as (c: typeof call) => string)(call)
    }
    const plan = wide({ output, script, concurrency: 4 })
    await expect(runBenchmark(plan, { signal: controller.signal })).rejects.toThrow('stopped')
    const before = await recordsIn(output)
    expect(before.length).toBeGreaterThan(3)
    expect(before.length).toBeLessThan(10)
    expect(before.filter(({ error }) => error)).toEqual([])
    expect(await runBenchmark(wide({ output }))).toMatchObject({
      asked: 24 - before.length,
      samples: 24,
    })
    const keys = (await recordsIn(output)).map(({ key }) => key)
    expect(new Set(keys).size).toBe(24)
    expect(keys).toHaveLength(24)
  })

  it('says that lines in the middle of its record are damaged, before it asks their samples again', async () => {
    await runBenchmark(wide({ output }))
    const lines = readFileSync(output, 'utf8').split('\n')
    lines[3] = lines[3]!.slice(0, 100)
    // What a kill leaves at the end is nothing to tell.
    writeFileSync(output, `${lines.join('\n')}${lines[4]!.slice(0, 50)}`)
    const told: string[] = []
    const onRecord = () => told.push('recorded')
    const { asked } = await runBenchmark(wide({ output }), { onRecord, onNote: (note) => told.push(note) })
    expect(asked).toBe(1)
    expect(told).toEqual([
      `A line of ${output} is damaged and left out: samples that no other line records are asked again.`,
      'recorded',
    ])
  })

  it('does not begin when it is stopped before', async () => {
    await expect(runBenchmark(madePlan({ output }), { signal: AbortSignal.abort('no') })).rejects.toBe('no')
    await expect(recordsIn(output)).rejects.toThrow(/ENOENT/)
  })

  it('ends with the record of an uninterrupted run, wherever it was stopped', async () => {
    const told = ({ finishedAt, seconds, usage, ...rest }: BenchRecord) => ({ ...rest, calls: usage.calls })
    const byKey = (lines: BenchRecord[]) => lines.map(told).toSorted((a, b) => a.key.localeCompare(b.key))
    await runBenchmark(wide({ output }))
    const expected = byKey(await recordsIn(output))
    let number = 0
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.nat(8), { maxLength: 6 }),
        fc.integer({ min: 1, max: 5 }),
        async (stops, concurrency) => {
          const path = folder.join(`stopped-${++number}.jsonl`)
          for (const stop of stops) {
            const controller = new AbortController()
            let recorded = 0
            const run = runBenchmark(wide({ output: path, concurrency }), {
              signal: controller.signal,
              onRecord: () => {
                if (recorded++ === stop) controller.abort(new Error('stopped'))
              },
            })
            await run.catch((error) => expect(error.message).toBe('stopped'))
          }
          await runBenchmark(wide({ output: path, concurrency }))
          expect(byKey(await recordsIn(path))).toEqual(expected)
        },
      ),
      { numRuns: 15 },
    )
  })
})

it('ends on an abort where a task is never done with a sample', async () => {
  const stopped = new AbortController()
  const task = { ...numberTask(), sample: () => new Promise<never>(() => undefined) }
  const run = runBenchmark(madePlan({ tasks: [plannedTask(task)] }), {
    onProgress: () => stopped.abort(new Error('enough')),
    signal: stopped.signal,
  })
  await expect(run).rejects.toThrow('enough')
})
