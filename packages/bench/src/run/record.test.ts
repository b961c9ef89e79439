/** The fields of a record's line. */
import { readFileSync } from 'node:fs'
import { ChatError, createScriptedModel, type Script } from '@memagent/core'
import { temporaryFolder } from '@memagent/core/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Method } from '../method.ts'
import { createMethod } from '../methods/registry.ts'
import { analyse } from '../report/analysis/analyse.ts'
import { collectObservations } from '../report/collect-observations.ts'
import { runBenchmark } from './run-benchmark.ts'
import { askOnce, madePlan, numberTask, plannedTask, rightAnswers, wide } from './testing/made-plan.ts'
import { recordsIn, recordsOf } from './testing/records-in.ts'

const folder = temporaryFolder(beforeEach, afterEach)
let output: string
beforeEach(() => {
  output = folder.join('record.jsonl')
})

describe('a record', () => {
  it('contains everything needed to examine the sample later', async () => {
    const plan = madePlan({
      output,
      sampling: { seed: 3, temperature: 0.5 },
      tasks: [{ ...plannedTask(numberTask()), options: { digits: 4 }, seenInTraining: false }],
      methods: [{ method: askOnce('overwrite'), workflow: 'overwrite' }],
      prices: { prompt: 2, completion: 10 },
      settings: { weights: 'abc' },
      model: createScriptedModel(rightAnswers, { name: 'wise' }),
    })
    await runBenchmark(plan)
    const [record] = await recordsIn(output)
    expect(record).toEqual({
      version: 1,
      key: 'number/8/0/overwrite/wise',
      task: 'number',
      taskOptions: { digits: 4 },
      deviations: [],
      seenInTraining: false,
      method: 'overwrite',
      model: 'wise',
      workflow: 'overwrite',
      lengthTokens: 8,
      index: 0,
      seed: 3,
      sampleId: 'number/seed-3/index-0/tokens-8',
      question: 'What is the code of number 0 (seed 3)?',
      references: ['1300'],
      match: 'any',
      evidence: [{ startByte: 80, endByte: 84 }],
      documentBytes: 85,
      labels: { depth: 1 },
      answer: '1300',
      outcome: 'found',
      response: '1300',
      warnings: [],
      metrics: { strict: 1, lenient: 1 },
      // Words: 9 in the question, 8 in the filler, 7 in the statement.
      usage: { calls: 1, promptTokens: 24, completionTokens: 1, modelMs: expect.any(Number) },
      steps: 1,
      seconds: expect.any(Number),
      price: 58e-6,
      trace: [],
      settings: {
        budget: { window: 8192, question: 1024, chunk: 5000, memory: 1024, output: 1024 },
        chunking: 'natural',
        prompts: 'paper',
        temperature: 0.5,
        lengths: { tokenizer: 'words', isExact: true },
        weights: 'abc',
      },
      finishedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    })
  })

  it('contains no tokens and no price where the server does not report tokens', async () => {
    const model = createScriptedModel(() => ({ text: '1300', usage: undefined }))
    const methods = await Promise.all(
      ['overwrite', 'truncate'].map(async (name) => ({ method: await createMethod(name) })),
    )
    const shares: number[] = []
    const plan = madePlan({ output, model, methods, prices: { prompt: 2, completion: 10 } })
    const { price } = await runBenchmark(plan, { onProgress: ({ share }) => shares.push(share) })
    for (const record of await recordsIn(output)) {
      expect(record.usage).toMatchObject({ promptTokens: null, completionTokens: null })
      expect(record).not.toHaveProperty('price')
    }
    expect(price).toBeUndefined()
    expect(shares.at(-1)).toBe(1)
    expect(shares).not.toContain(Number.NaN)
    const { costs } = analyse(await collectObservations([output]))
    expect(costs.map(({ cost }) => cost.promptTokens)).toEqual([Number.NaN, Number.NaN])
    // Resumes as usual.
    expect((await runBenchmark(plan)).asked).toBe(0)
  })

  it('contains the final response, its finish reason, and the warnings with their steps', async () => {
    const reader = { method: await createMethod('overwrite:chunk=32,memory=20'), workflow: 'overwrite' }
    const script: Script = ({ messages: [message], index }) =>
      message!.content.includes('<section>')
        ? { text: `The code may be 1100 (${index}).`, finishReason: { unified: 'length', raw: 'length' } }
        : { text: ' So it is \\boxed{1100}\n', finishReason: { unified: 'stop', raw: 'eos' } }
    const tasks = [plannedTask(numberTask(), { 50: 1 })]
    const [record] = await recordsOf(madePlan({ tasks, methods: [reader], script }))
    expect(record).toMatchObject({
      answer: '1100',
      response: ' So it is \\boxed{1100}\n',
      finishReason: { unified: 'stop', raw: 'eos' },
      warnings: [{ code: 'memory-cut', message: expect.any(String), steps: [0, 1] }],
    })
  })

  it('contains the last response of a failed sample', async () => {
    const method: Method = {
      ...askOnce(),
      async answer({ onConversation, onWarning }) {
        const finishReason = { unified: 'other', raw: 'content_filter' } as const
        const tag = { step: 3, kind: 'answer' }
        onConversation?.({ messages: [], maxTokens: 1, tag }, { text: '4', usage: undefined, finishReason })
        onWarning?.({ type: 'warning', step: 3, code: 'filtered', message: 'The response was filtered.' })
        throw new ChatError({ code: 'chat/filtered', message: 'filtered' })
      },
    }
    const [record] = await recordsOf(madePlan({ methods: [{ method }] }))
    expect(record).toMatchObject({
      answer: '',
      response: '4',
      finishReason: { unified: 'other', raw: 'content_filter' },
      warnings: [{ code: 'filtered', message: 'The response was filtered.', steps: [3] }],
      error: { code: 'chat/filtered' },
    })
  })

  it('passes the response to the task along with the answer', async () => {
    const task = {
      ...numberTask(),
      score: (_: unknown, answer?: string, response?: string) => ({
        strict: answer === '5' && response === '\\boxed{5}' ? 1 : 0,
      }),
    }
    const method: Method = {
      ...askOnce(),
      answer: async () => ({
        answer: { text: '5', outcome: 'found' as const, response: '\\boxed{5}' },
        usage: { calls: 1, promptTokens: 1, completionTokens: 1, modelMs: 0 },
        trace: [],
        steps: 1,
      }),
    }
    const [record] = await recordsOf(madePlan({ tasks: [plannedTask(task)], methods: [{ method }] }))
    expect(record!.metrics).toEqual({ strict: 1 })
  })

  it('is on disk when it is reported', async () => {
    let told = 0
    await runBenchmark(wide({ output }), {
      onRecord: ({ key }) => {
        told++
        expect(readFileSync(output, 'utf8')).toContain(`"key":"${key}"`)
      },
    })
    expect(told).toBe(24)
  })
})
