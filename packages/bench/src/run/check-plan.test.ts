/** What a program may plan by mistake: refused before a call, and never recorded as a wrong answer. */
import { createScriptedModel, type ScriptedModel } from '@memagent/core'
import { expect, it } from 'vitest'
import { createMethod } from '../methods/registry.ts'
import type { BenchPlan } from './plan.ts'
import { runBenchmark } from './run-benchmark.ts'
import { askOnce, madePlan, numberTask, plannedTask, rightAnswers } from './testing/made-plan.ts'

/** As JavaScript gives it, where no compiler looks. */
const given = (value: unknown) => value as never
const task = numberTask()
const planned = plannedTask(task)

it.each<[string, object, string]>([
  ['the name of a model', { model: 'openai:qwen' }, 'model is no chat model'],
  ['the name of a tokenizer', { tokenizer: 'gpt' }, 'tokenizer is no tokenizer'],
  ['names of methods', { methods: ['overwrite'] }, 'methods[0].method is no method'],
  ['a method alone', { methods: [askOnce()] }, 'methods[0].method is no method'],
  [
    'a method that nobody awaited',
    { methods: [{ method: createMethod('truncate') }] },
    'methods[0].method is no method',
  ],
  ['one task', { tasks: planned }, 'tasks is no list'],
  ['a task alone', { tasks: [task] }, 'tasks[0].lengths is no list'],
  ['lengths alone', { tasks: [{ ...planned, lengths: [1000] }] }, 'tasks[0].lengths is no list'],
  [
    'samples as a text',
    { tasks: [{ ...planned, lengths: [{ lengthTokens: 8, samples: '2' }] }] },
    'tasks[0].lengths is no list',
  ],
  [
    'a task that nobody awaited',
    { tasks: [{ ...planned, task: Promise.resolve(task) }] },
    'The task number: what the plan has is not a task',
  ],
  ['no concurrency', { concurrency: 0 }, 'concurrency cannot be 0'],
  ['a concurrency that is no number', { concurrency: Number.NaN }, 'concurrency cannot be NaN'],
  [
    'a number of failures that is none',
    { maxConsecutiveFailures: Number.NaN },
    'maxConsecutiveFailures cannot be NaN',
  ],
  ['another order', { order: 'longest' }, 'order cannot be longest'],
])('refuses %s', async (_, parts, message) => {
  await expect(runBenchmark(madePlan(given(parts)))).rejects.toThrow(message)
})

it.each<[string, unknown, string]>([
  ['NaN', () => ({ strict: Number.NaN }), 'got strict = NaN'],
  ['a number', () => 1, 'got 1'],
  ['a promise', async () => ({ strict: 1 }), 'got a promise'],
  // Were it not handled, this would end the process.
  ['a promise that fails', async () => Promise.reject(new Error('later')), 'got a promise'],
  ['nothing', () => undefined, 'got undefined'],
])('refuses a task whose score gives %s, before a call', async (_, score, message) => {
  const model: ScriptedModel = createScriptedModel(rightAnswers)
  const plan: BenchPlan = { ...madePlan({ tasks: [plannedTask({ ...task, score: given(score) })] }), model }
  await expect(runBenchmark(plan)).rejects.toMatchObject({
    code: 'task/bad-task',
    message: expect.stringContaining(message),
  })
  expect(model.calls).toEqual([])
})

it('names the task whose sample is none, or throws no error', async () => {
  const run = (sample: unknown) =>
    runBenchmark(madePlan({ tasks: [plannedTask({ ...task, sample: given(sample) })] }))
  await expect(run(async () => null)).rejects.toThrow('The task number: sample 0 of seed 1 is wrong')
  await expect(run(() => Promise.reject({ status: 503 }))).rejects.toThrow(
    'sample 0 of seed 1 failed: {"status":503}',
  )
})
