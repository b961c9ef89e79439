/** What a program may plan by mistake: refused before a call, and never recorded as a wrong answer. */
import { createScriptedModel, type ScriptedModel } from '@memagent/core'
import { expect, it } from 'vitest'
import { createMethod } from '../methods/registry.ts'
import { estimateBenchmark } from './estimate.ts'
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
  [
    'a sampling that is no number',
    { sampling: { temperature: Number.NaN } },
    'The temperature of the sampling is NaN',
  ],
  ['a profile without a budget', { profile: { name: 'own' } }, 'The budget is none'],
  [
    'a price that is no number',
    { prices: { prompt: Number.NaN, completion: 1 } },
    'prices.prompt cannot be NaN',
  ],
  ['another order', { order: 'longest' }, 'order cannot be longest'],
])('refuses %s', async (_, parts, message) => {
  const plan = madePlan(given(parts))
  await expect(runBenchmark(plan)).rejects.toThrow(message)
  await expect(estimateBenchmark(plan)).rejects.toThrow(message)
})

it('refuses to estimate with a rate that is no number', async () => {
  await expect(estimateBenchmark(madePlan(), Number.NaN)).rejects.toThrow('tokensPerSecond cannot be NaN')
})

const ofMethod = { answer: { text: '5', outcome: 'found' }, usage: {}, trace: [], steps: 1 }
const used = { calls: 1, promptTokens: 1, completionTokens: 1, modelMs: 1 }
it.each<[string, unknown, string]>([
  ['a text', '5', 'the whole cannot be "5"'],
  ['nothing', undefined, 'the whole is missing'],
  ['a text for its answer', { ...ofMethod, answer: '5', usage: used }, 'answer cannot be "5"'],
  [
    'an outcome of its own',
    { ...ofMethod, answer: { text: '5', outcome: 'right' }, usage: used },
    'answer.outcome cannot be "right"',
  ],
  ['no usage', ofMethod, 'usage.calls'],
])('ends at a method that returns %s, which is no answer', async (_, result, message) => {
  const method = { ...askOnce('own'), answer: given(async () => result) }
  const records: unknown[] = []
  const run = runBenchmark(madePlan({ methods: [{ method }] }), {
    onRecord: (record) => records.push(record),
  })
  await expect(run).rejects.toMatchObject({
    code: 'bench/bad-result',
    message: expect.stringMatching(message),
  })
  expect(records).toEqual([])
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
