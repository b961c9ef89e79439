/** What a malformed response earns. */
import { edits } from '@memagent/core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { scriptedReader } from '../testing/scripted-rollout.ts'
import { shortSample as sample, shortAnswers, shortTraining } from '../testing/short-training.ts'
import { metricReward } from './rewards.ts'
import { stepRewards } from './step-rewards/registry.ts'
import { trainRl } from './trainer.ts'

const reader = scriptedReader(beforeAll, afterAll)

/** A reading with these edits, in turn; a full memory is answered with `consolidation`. */
const reading = (updates: readonly string[], consolidation = 'none') => {
  let update = 0
  return reader.rollOut(edits, sample, (prompt) => {
    if (prompt.includes('<section></section>')) return consolidation
    return prompt.includes('<section>') ? updates[update++ % updates.length]! : '\\boxed{one}'
  })
}
const marks = (rollout: Awaited<ReturnType<typeof reading>>) =>
  rollout.conversations.map(({ tag, isMalformed }) => `${tag.kind}${isMalformed ? ' malformed' : ''}`)

it('marks the very response, and the rollout earns nothing', async () => {
  const earned = metricReward('strict')
  const good = await reading(['+ one', 'none'])
  expect(marks(good).filter((mark) => mark !== 'update')).toEqual(['answer'])
  expect([good.keptMemories, good.metrics.strict, earned(good, sample)]).toEqual([0, 1, 1])

  const bad = await reading(['+ one', 'one', 'none'])
  expect(marks(bad).slice(0, 3)).toEqual(['update', 'update malformed', 'update'])
  expect([bad.keptMemories, bad.metrics.strict, earned(bad, sample)]).toEqual([1, 1, 0])
  expect(stepRewards.format!(good, sample)).not.toContain(-1)
  expect(stepRewards.format!(bad, sample).slice(0, 3)).toEqual([0, -1, 0])
})

it('of a consolidation, too, though the memory of the step was sampled', async () => {
  const full = ['+ one two three four', '+ five six seven eight nine', '+ ten one two four five']
  const good = await reading(full, '-#1')
  const bad = await reading(full, '-#7')
  expect(marks(good)).toContain('consolidate')
  expect(marks(bad)).toContain('consolidate malformed')
  expect(bad.keptMemories).toBe(0)
  expect(stepRewards.format!(bad, sample)).toContain(-1)
  expect(metricReward('strict')(bad, sample)).toBe(0)
  expect(metricReward('strict')(good, sample)).toBe(good.metrics.strict)
})

it('is counted in training by name, where a random model writes no edit at all', async () => {
  const steps = 'workflow: edits\nreward: { steps: { name: format } }'
  const config = shortTraining(reader.folder.join('run'), reader.folder.join('model'), steps, { steps: 1 })
  const kept: number[] = []
  for await (const event of trainRl(config, { task: shortAnswers, evaluationTask: shortAnswers })) {
    if (event.type === 'step-end') kept.push(event.metrics.keptMemories)
  }
  expect(kept).toHaveLength(1)
  expect(kept[0]).toBeGreaterThan(0)
})
