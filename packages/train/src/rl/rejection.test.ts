/** Rejection sampling: a model learns from its own readings that ended in a right answer. */
import { join } from 'node:path'
import { loadModelFolder } from '@memagent/engine'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readerFolder, runTraining, shortTraining } from '../testing/short-training.ts'

const folder = readerFolder(beforeAll, afterAll)

const train = async (name: string, from: string, rate: number, baseline = 'none', killedAt?: number) => {
  const config = shortTraining(folder.join(name), folder.join('model'))
  const { optimizer, loss, rollouts } = config
  const events = await runTraining(
    {
      ...config,
      updates: 1,
      rollouts: { ...rollouts, from: from as 'start' },
      loss: { ...loss, klCoefficient: 0, baseline: baseline as 'none' },
      optimizer: { ...optimizer, learningRate: rate },
    },
    (event) => event.type === 'checkpoint-end' && event.step === killedAt,
  )
  return events.flatMap((event) => (event.type === 'step-end' ? [event.metrics] : []))
}
const drawn = (steps: Awaited<ReturnType<typeof train>>) =>
  steps.map(({ rewardDrawn, sampledTokensDrawn, groupsDrawn }) => [
    rewardDrawn,
    sampledTokensDrawn,
    groupsDrawn,
  ])

it('from the start reads the same, whatever was learned meanwhile; ratios stay those of the policy', async () => {
  const steps = await train('start', 'start', 0.05)
  expect(drawn(steps)).toEqual(drawn(await train('start-slow', 'start', 0.0001)))
  expect(drawn(await train('policy', 'policy', 0.05))).not.toEqual(drawn(steps))
  // The distance from the weights that sampled grows, the ratio does not.
  expect(steps[0]!.samplerMismatch).toBeLessThan(1e-4)
  expect(steps.at(-1)!.samplerMismatch).toBeGreaterThan(0.01)
  for (const { ratioDeviation, optimizerSteps } of steps)
    expect([ratioDeviation, optimizerSteps]).toEqual([0, 1])
})

it('counts the tokens of right rollouts apart, and those of all that was read', async () => {
  const [rejected, rewarded] = [
    await train('rejected', 'start', 0.01),
    await train('rewarded', 'start', 0.01, 'group-mean'),
  ]
  for (const [i, step] of rejected.entries()) {
    expect(step.sampledTokensCredited).toBeGreaterThan(0)
    expect(step.sampledTokensCredited).toBeLessThan(rewarded[i]!.sampledTokensCredited)
    expect(step.promptTokensCredited).toBeLessThan(rewarded[i]!.promptTokensCredited)
    expect(step.sampledTokens).toBe(rewarded[i]!.sampledTokens)
    expect(rewarded[i]!.sampledTokensCredited).toBeLessThanOrEqual(step.sampledTokens)
  }
})

it('ends with the same weights when it was killed', async () => {
  await train('whole', 'start', 0.05)
  await train('killed', 'start', 0.05, 'none', 2)
  await train('killed', 'start', 0.05)
  const [whole, killed] = await Promise.all(
    ['whole', 'killed'].map(
      async (name) => (await loadModelFolder(join(folder.path, name, 'model'))).weights,
    ),
  )
  for (const [name, values] of whole!) expect(killed!.get(name)).toEqual(values)
})
