/** A run continuing a record that another run began. */
import { readFile, writeFile } from 'node:fs/promises'
import { createScriptedModel } from '@memagent/core'
import { temporaryFolder } from '@memagent/core/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { runBenchmark } from './run-benchmark.ts'
import { askOnce, madePlan, numberTask, plannedTask, rightAnswers } from './testing/made-plan.ts'

const folder = temporaryFolder(beforeEach, afterEach)
let output: string
beforeEach(() => {
  output = folder.join('record.jsonl')
})

describe('a record of another run', () => {
  it.each([
    ['seed', { sampling: { seed: 2 } }, 'seed of number: recorded 1, now 2'],
    [
      'task options',
      { tasks: [{ ...plannedTask(numberTask()), options: { digits: 5 } }] },
      'taskOptions.digits of number: recorded nothing, now 5',
    ],
    ['sampling', { sampling: { temperature: 0.7 } }, 'settings.temperature: recorded nothing, now 0.7'],
    [
      'least confidence',
      { methods: [{ method: askOnce(), workflow: 'ask, least confidence 0.5 and 0.1' }] },
      'workflow: recorded nothing, now "ask, least confidence 0.5 and 0.1"',
    ],
    ['weights', { settings: { weights: 'new' } }, 'settings.weights: recorded "old", now "new"'],
  ] as const)('is refused where the %s differs', async (_, change, told) => {
    await runBenchmark(madePlan({ output, settings: { weights: 'old' } }))
    const before = await readFile(output, 'utf8')
    const changed = madePlan({ output, settings: { weights: 'old' }, ...change })
    await expect(runBenchmark(changed)).rejects.toMatchObject({
      code: 'bench/other-settings',
      message: expect.stringContaining(told),
    })
    expect(await readFile(output, 'utf8')).toBe(before)
  })

  it('is refused where the files of the questions differ, and taken when it does not say what they were', async () => {
    const plan = (content: string | undefined, method = 'ask') =>
      madePlan({
        output,
        tasks: [{ ...plannedTask(numberTask()), content }],
        methods: [{ method: askOnce(method) }],
      })
    await runBenchmark(plan(undefined))
    await runBenchmark(plan('one', 'second'))
    await expect(runBenchmark(plan('two', 'third'))).rejects.toMatchObject({
      code: 'bench/other-settings',
      message: expect.stringContaining('content of the files of number: recorded "one", now "two"'),
    })
  })

  it('is refused for other questions to another method', async () => {
    await runBenchmark(madePlan({ output }))
    const other = madePlan({ output, sampling: { seed: 2 }, methods: [{ method: askOnce('other') }] })
    await expect(runBenchmark(other)).rejects.toMatchObject({ code: 'bench/other-settings' })
  })

  it('may continue with more methods, tasks, lengths and samples', async () => {
    await runBenchmark(madePlan({ output }))
    const more = madePlan({
      output,
      tasks: [plannedTask(numberTask(), { 8: 4, 9: 1 }), plannedTask(numberTask('more'))],
      methods: [{ method: askOnce() }, { method: askOnce('other') }],
    })
    expect(await runBenchmark(more)).toMatchObject({ planned: 16, asked: 13, samples: 16 })
  })

  it('may hold another model under other settings', async () => {
    await runBenchmark(madePlan({ output, sampling: { temperature: 0.7 } }))
    const model = createScriptedModel(rightAnswers, { name: 'second' })
    expect(await runBenchmark(madePlan({ output, model }))).toMatchObject({ asked: 3, samples: 3 })
  })

  it('is refused when it is not a record', async () => {
    await writeFile(output, 'my notes\n')
    await expect(runBenchmark(madePlan({ output }))).rejects.toMatchObject({ code: 'bench/bad-record' })
  })
})
