/** Training goes on without samples that cannot be read. */
import { join } from 'node:path'
import { createTextDocument, TaskError } from '@memagent/core'
import { loadModelFolder } from '@memagent/engine'
import type { Task } from '@memagent/tasks'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readMetrics } from '../metrics/metrics-log.ts'
import { readerFolder, runTraining, shortAnswers, shortTraining } from '../testing/short-training.ts'

const folder = readerFolder(beforeAll, afterAll)

/** Of the unreadable indices, even ones yield no document, and odd ones have too long a question. */
const withoutSome = (isUnreadable: (index: number) => boolean): Task => ({
  ...shortAnswers,
  async sample(request) {
    const sample = await shortAnswers.sample(request)
    if (!isUnreadable(request.index)) return sample
    if (request.index % 2 === 1) return { ...sample, question: 'a question of far too many words' }
    throw new TaskError({ code: 'task/document-too-short', message: 'Three facts do not fit 12 tokens' })
  },
})
const some = withoutSome((index) => [1, 2, 7, 8].includes(index))
const configOf = (name: string, draws = 2) => {
  const config = shortTraining(folder.join(name), folder.join('model'))
  return { ...config, rollouts: { ...config.rollouts, draws } }
}
const weightsOf = async (name: string) => (await loadModelFolder(join(folder.path, name, 'model'))).weights

describe('a sample that cannot be read', () => {
  it('is counted and passed over, and a run that was killed goes on as if it had not been', async () => {
    const events = await runTraining(configOf('whole'), undefined, { task: some })
    const steps = events.flatMap((event) => (event.type === 'step-end' ? [event.metrics] : []))
    expect(steps).toHaveLength(4)
    expect(steps.reduce((sum, { groupsPassedOver }) => sum + groupsPassedOver, 0)).toBe(4)
    // The first step draws samples 0 and 1, then 2 in place of 1, and perhaps one in place of 0.
    expect(steps[0]!.groupsPassedOver).toBe(2)
    const logged = (await readMetrics(folder.join('whole', 'metrics.jsonl'))).filter(
      ({ type }) => type === 'step-end',
    )
    expect(logged.map(({ metrics }) => metrics)).toMatchObject(
      steps.map(({ groupsPassedOver }) => ({ groupsPassedOver })),
    )

    await runTraining(configOf('killed'), (event) => event.type === 'step-end' && event.step === 2, {
      task: some,
    })
    await runTraining(configOf('killed'), undefined, { task: some })
    expect(await weightsOf('killed')).toEqual(await weightsOf('whole'))
  })

  it('reports the rollouts of those that are read', async () => {
    const told: number[] = []
    const config = { ...configOf('told'), curriculum: [{ steps: 1, lengths: [12] }] }
    await runTraining(config, undefined, {
      task: some,
      onProgress: ({ phase, done, total }) => {
        if (phase !== 'rollouts') return
        expect(done).toBeLessThanOrEqual(total)
        told.push(done)
      },
    })
    expect(told).toEqual(told.toSorted((a, b) => a - b))
  })

  it('is an error where a step has no other, with the reason', async () => {
    const none = withoutSome((index) => index >= 2)
    await expect(runTraining(configOf('none', 1), undefined, { task: none })).rejects.toMatchObject({
      name: 'ConfigurationError',
      code: 'train/unreadable-samples',
      message:
        'Of 2 samples of short-answers at lengths of 12 tokens, none can be read. Three facts do not fit 12 tokens',
    })
  })

  it('is not one that fails for another reason', async () => {
    const failing: Task = {
      ...shortAnswers,
      sample: async (request) => ({
        ...(await shortAnswers.sample(request)),
        document: {
          ...createTextDocument(''),
          // biome-ignore lint/correctness/useYield: it fails first.
          async *open() {
            throw new Error('the disk is gone')
          },
        },
      }),
    }
    await expect(runTraining(configOf('failing'), undefined, { task: failing })).rejects.toThrow(
      'the disk is gone',
    )
  })
})
