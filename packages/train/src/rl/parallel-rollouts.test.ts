/** Rollouts of a workflow that reads chunks at the same time, in several passes; and what they earn. */
import { type Json, overwrite, parallel, type Workflow } from '@memagent/core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { scriptedReader } from '../testing/scripted-rollout.ts'
import { shortSample as sample, shortAnswers, shortTraining } from '../testing/short-training.ts'
import { addedRewards, sumOfRewards } from './added-rewards/registry.ts'
import { metricReward } from './rewards.ts'
import { stepRewards } from './step-rewards/registry.ts'
import { trainRl } from './trainer.ts'

const reader = scriptedReader(beforeAll, afterAll)

/** News in the first chunk of as many passes; then the answer. */
function reading(newsInPasses: number, { answer = '\\boxed{one}', report = 'no', of = sample } = {}) {
  let merges = 0
  return reader.rollOut(parallel, of, (prompt) => {
    if (prompt.includes('<reports>')) return `one ${++merges}`
    if (!prompt.includes('<section>')) return answer
    return prompt.includes('one two') && merges < newsInPasses ? 'yes one' : report
  })
}
const reward = sumOfRewards(metricReward('strict'), [addedRewards['fewer-passes']!])

describe('a rollout of several passes', () => {
  it('records reports in the order of the text, then the merge, pass by pass', async () => {
    const { conversations, memories, passes, keptMemories } = await reading(1)
    const places = conversations.map(({ tag }) => [tag.kind, tag.pass ?? 0, tag.step].join(' '))
    const chunks = places.filter((place) => place.startsWith('report 0')).length
    expect(chunks).toBeGreaterThan(2)
    const reports = (pass: number) => Array.from({ length: chunks }, (_, step) => `report ${pass} ${step}`)
    expect(places).toEqual([...reports(0), 'merge 0 0', ...reports(1), `answer 0 ${2 * chunks}`])
    expect(memories).toEqual(['one 1'])
    expect([passes, keptMemories]).toEqual([{ read: 2, most: 3 }, 0])
  })

  // 0.2 * (3 - k) / (3 - 1), where the answer is right.
  it.each([
    ['one pass: there was no news', 0, '', 1, 0],
    ['two passes', 1, '\\boxed{one}', 2, 1.1],
    ['three passes, the last without news', 2, '\\boxed{one}', 3, 1],
    ['three passes, all with news', 3, '\\boxed{one}', 3, 1],
    ['two passes, and is wrong', 1, '\\boxed{two}', 2, 0],
    ['two passes, without a box', 1, 'one', 2, 0],
  ])('earns for %s', async (_, news, answer, passes, earned) => {
    const rollout = await reading(news, { answer })
    expect(rollout.passes).toEqual({ read: passes, most: 3 })
    expect(reward(rollout, sample)).toBeCloseTo(earned, 12)
  })

  it('earns 1.2 where one pass is enough to know that the text does not answer', async () => {
    const unanswerable = { ...sample, references: [] }
    expect(reward(await reading(0, { of: unanswerable }), unanswerable)).toBe(1.2)
  })

  it('earns no bonus for an answer that is right in part, and nothing with a malformed report', async () => {
    const half = sumOfRewards(() => 0.5, [addedRewards['fewer-passes']!])
    expect(half(await reading(1), sample)).toBe(0.5)
    const malformed = await reading(1, { report: 'what' })
    expect(malformed.conversations.some(({ isMalformed }) => isMalformed)).toBe(true)
    expect(malformed.keptMemories).toBeGreaterThan(0)
    expect(reward(malformed, sample)).toBe(0)
  })

  it('is asked of a workflow that has several', async () => {
    const one = await reader.rollOut(overwrite, sample, () => '\\boxed{one}')
    expect(one.passes).toEqual({ read: 1, most: 1 })
    expect(() => reward(one, sample)).toThrow('the workflow reads a text once')
  })
})

describe('rewards of rewrites, which it has none of', () => {
  it.each(['memory-recall', 'update-gate', 'recall'])('%s is an error of the configuration', async (name) => {
    const change = `workflow: parallel\nreward: { steps: { name: ${name} } }`
    const config = shortTraining(reader.folder.join(name), reader.folder.join('model'), change)
    const error = {
      code: 'train/no-updates',
      message: `reward.steps.name is ${name}, but the workflow parallel has no conversations of the kind update, which earn it.`,
    }
    await expect(trainRl(config, { task: shortAnswers }).next()).rejects.toMatchObject(error)
    const own = { ...parallel, name: 'own', fingerprint: '1' } as unknown as Workflow<Json>
    for await (const { type } of trainRl(config, { task: shortAnswers, workflow: own })) {
      expect(type).toBe('training-start')
      break
    }
    const rollout = await reading(0)
    expect(() => stepRewards[name]!(rollout, sample)).toThrow('has no conversations of the kind update')
    expect(stepRewards[name]!({ ...rollout, chunks: [], conversations: [] }, sample)).toEqual([])
  })
})

it('is trained by its name, and twice to the same numbers', async () => {
  const train = async (run: string) => {
    const change = 'workflow: parallel\nreward: { added: [fewer-passes], steps: { name: format } }'
    const config = shortTraining(reader.folder.join(run), reader.folder.join('model'), change, { steps: 2 })
    const steps: object[] = []
    for await (const event of trainRl(config, { task: shortAnswers, evaluationTask: shortAnswers })) {
      if (event.type !== 'step-end') continue
      const { reward, gradientNorm, sampledTokens, conversationsPerRollout, keptMemories } = event.metrics
      steps.push({ reward, gradientNorm, sampledTokens, conversationsPerRollout, keptMemories })
    }
    return steps
  }
  const steps = await train('first')
  expect(steps).toHaveLength(2)
  expect(steps[0]).toMatchObject({ keptMemories: expect.any(Number) })
  expect(await train('second')).toEqual(steps)
})
