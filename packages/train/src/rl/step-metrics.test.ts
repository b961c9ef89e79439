import { type Json, overwrite, parallel, type Workflow } from '@memagent/core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { scriptedReader } from '../testing/scripted-rollout.ts'
import { shortSample as sample } from '../testing/short-training.ts'
import { meanMetrics } from './mean-metrics.ts'
import { describeRollouts } from './step-metrics.ts'

const reader = scriptedReader(beforeAll, afterAll)

/** Length and cuts of rewrites, in a step with one reading. */
async function rewritesOf(workflow: Workflow<Json>, respond: (prompt: string) => string) {
  const rollout = await reader.rollOut(workflow, sample, respond)
  const group = { index: 0, sample, lengthTokens: 12, rollouts: [rollout], earned: [0], rewards: [0] }
  const all = { rollouts: 1, rewards: 0, keptMemories: 0, sampledTokens: 0, promptTokens: 0 }
  const batch = { groups: [group], drawn: 1, withSignal: 0, passedOver: 0, all }
  const { memoryTokens, memoriesCut } = describeRollouts(batch)
  return { memoryTokens, memoriesCut }
}
const merging = parallel as unknown as Workflow<Json>
const tokensOf = (text: string) => reader.tokens.tokenizer.count(text) + 1

describe('tokens of a rewrite', () => {
  it('are those of a response to an update, or to a merge of reports', async () => {
    const rewriting = overwrite as unknown as Workflow<Json>
    expect(await rewritesOf(rewriting, () => 'one')).toEqual({
      memoryTokens: tokensOf('one'),
      memoriesCut: 0,
    })
    const respond = (prompt: string) => (prompt.includes('<section>') ? 'yes two three' : 'one')
    expect(await rewritesOf(merging, respond)).toEqual({ memoryTokens: tokensOf('one'), memoriesCut: 0 })
  })

  it('are not measured where nothing is rewritten', async () => {
    expect(await rewritesOf(merging, (prompt) => (prompt.includes('<section>') ? 'no' : 'one'))).toEqual({
      memoryTokens: undefined,
      memoriesCut: undefined,
    })
  })
})

it('a mean of a metric is over the readings that have it', () => {
  expect(meanMetrics([{ f1: 1 }, { f1: 0.5, rouge: 0.4 }, { rouge: 0.2 }])).toEqual({
    f1: 0.75,
    rouge: expect.closeTo(0.3, 12),
  })
  expect(meanMetrics([])).toEqual({})
})
