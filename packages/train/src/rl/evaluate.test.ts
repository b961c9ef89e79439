import { createTextDocument, type Json, overwrite, TaskError, type Workflow } from '@memagent/core'
import type { Task } from '@memagent/tasks'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readerFolder, shortAnswers, shortParts, shortTraining, unboxed } from '../testing/short-training.ts'
import { type EvaluationAtLength, evaluatePolicy } from './evaluate.ts'
import { metricReward } from './rewards.ts'
import { createTrainingParts } from './training-parts.ts'

const folder = readerFolder(beforeAll, afterAll)

async function evaluate(task: Task, metric: string, workflow = unboxed): Promise<EvaluationAtLength[]> {
  const { engine } = await createTrainingParts(
    shortTraining(folder.join('run'), folder.join('model')),
    shortParts,
  )
  const policy = await engine.createPolicy()
  const snapshot = await policy.snapshot()
  try {
    return await evaluatePolicy({
      workflow,
      profile: engine.profile,
      tokens: engine.tokens,
      order: 'lockstep',
      policy: snapshot,
      task,
      seed: 5,
      samples: 5,
      lengths: [12, 24],
      sampling: { temperature: 0, topP: 1 },
      reward: metricReward(metric),
      parallel: 2,
    })
  } finally {
    await snapshot.close()
    await policy.close()
  }
}

describe('evaluatePolicy', () => {
  it('scores by the metric that is the reward, sample by sample', async () => {
    let scored = 0
    const task: Task = {
      ...shortAnswers,
      score: ({ id }) => {
        scored++
        return { strict: 0, lenient: Number(id.split('/')[1]) / 10 }
      },
    }
    const results = await evaluate(task, 'lenient')
    expect(results.map(({ lengthTokens }) => lengthTokens)).toEqual([12, 24])
    for (const { samples, scores, metrics, updates } of results) {
      expect(samples).toBe(5)
      expect(scores).toEqual([0, 0.1, 0.2, 0.3, 0.4])
      expect(metrics).toEqual({ strict: 0, lenient: 0.2 })
      expect(updates).toBeGreaterThanOrEqual(5)
    }
    expect(scored).toBe(10)
  })

  it('passes over questions that cannot be read, as training does, and says which', async () => {
    const tooLong = (indices: readonly number[]): Task => ({
      ...shortAnswers,
      score: ({ id }) => ({ strict: Number(id.split('/')[1]) / 10 }),
      sample: async (request) => {
        if (request.index === 3 && indices.includes(3)) {
          throw new TaskError({ code: 'task/document-too-short', message: 'They do not fit' })
        }
        const sample = await shortAnswers.sample(request)
        return indices.includes(request.index)
          ? { ...sample, question: 'a question of far too many words' }
          : sample
      },
    })
    for (const result of await evaluate(tooLong([1, 3]), 'strict')) {
      expect(result).toMatchObject({ samples: 3, passedOver: [1, 3], scores: [0, 0.2, 0.4] })
      expect(result.reward).toBeCloseTo(0.2, 12)
    }
    await expect(evaluate(tooLong([0, 1, 2, 3, 4]), 'strict')).rejects.toMatchObject({
      code: 'train/unreadable-samples',
      message: expect.stringMatching(
        /^Of 5 samples of short-answers at lengths of 12 tokens, none can be read\./,
      ),
      hint: expect.stringContaining('evaluation.lengths'),
    })
  })

  it('refuses a document that is far shorter than its length, unless it is to keep its own', async () => {
    const short: Task = {
      ...shortAnswers,
      sample: async (request) => ({
        ...(await shortAnswers.sample(request)),
        document: createTextDocument('one two.'),
      }),
    }
    await expect(evaluate(short, 'strict')).rejects.toMatchObject({
      code: 'train/short-document',
      message: expect.stringMatching(/has 8 bytes, and evaluation\.lengths asks for 24 tokens/),
    })
    const [result] = await evaluate({ ...short, keepsLength: true }, 'strict')
    expect(result).toMatchObject({ keepsLength: true, samples: 5 })
  })

  it('gives no reward without a closed box, however a person reads the answer', async () => {
    const task: Task = { ...shortAnswers, score: () => ({ strict: 1, lenient: 1 }) }
    // A tiny random model closes none.
    const asked = await evaluate(task, 'strict', overwrite as unknown as Workflow<Json>)
    for (const { metrics, reward, scores, withoutBox, samples } of asked) {
      const noted = scores.filter((score) => score === 0).length
      expect(noted).toBeGreaterThan(0)
      expect(withoutBox).toBe(noted)
      expect([metrics.strict, reward]).toEqual([1, 1 - noted / samples])
    }
  })

  it('gives no reward when a previous memory was kept', async () => {
    const keeping: Workflow<Json> = {
      ...unboxed,
      async read(state, chunk, context) {
        const { emit } = context
        const kept = (event: Parameters<typeof emit>[0]) =>
          emit(event.type === 'memory-end' ? { ...event, origin: 'kept' } : event)
        return unboxed.read(state, chunk, { ...context, emit: kept })
      },
    }
    const task: Task = { ...shortAnswers, score: () => ({ strict: 1 }) }
    for (const { metrics, reward, keptMemories, updates } of await evaluate(task, 'strict', keeping)) {
      expect([metrics.strict, reward, keptMemories]).toEqual([1, 0, updates])
    }
  })

  it('says how many memories hold the answer, of those that can', async () => {
    const asking = (isNamed: (index: number) => boolean): Task => ({
      ...shortAnswers,
      sample: async (request) => ({
        ...(await shortAnswers.sample(request)),
        id: isNamed(request.index) ? `never-mentioned/${request.index}` : `short/${request.index}`,
      }),
    })
    const held = async (isNamed: (index: number) => boolean) =>
      (await evaluate(asking(isNamed), 'strict')).map(({ inMemory }) => inMemory)
    expect(await held(() => true)).toEqual([undefined, undefined])
    expect(await held(() => false)).toEqual([0, 0])
    expect(await held((index) => index === 0)).toEqual([0, 0])
    const choices: Task = {
      ...shortAnswers,
      sample: async (request) => ({
        ...(await shortAnswers.sample(request)),
        id: `longbench-v2/${request.index}`,
        references: ['A'],
      }),
    }
    // A letter is a word of any text.
    expect((await evaluate(choices, 'strict')).map(({ inMemory }) => inMemory)).toEqual([
      undefined,
      undefined,
    ])
  })

  it('names a metric that the task lacks, and those it has, at the first answer', async () => {
    let scored = 0
    const task: Task = { ...shortAnswers, score: () => ({ strict: ++scored, lenient: 1 }) }
    await expect(evaluate(task, 'strickt')).rejects.toMatchObject({
      code: 'train/unknown-metric',
      message: expect.stringContaining('strickt'),
      hint: 'It has: strict, lenient.',
    })
    expect(scored).toBeLessThanOrEqual(2)
  })
})
