import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { loadModelFolder } from '@memagent/engine'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readMetrics } from '../metrics/metrics-log.ts'
import { readerFolder, runTraining, shortTraining } from '../testing/short-training.ts'

const folder = readerFolder(beforeAll, afterAll)
const configOf = (steps: number) => shortTraining(folder.join('run'), folder.join('model'), '', { steps })

it('a run says that its evaluation changes, marks its log, and keeps the best model until then', async () => {
  const config = configOf(2)
  await runTraining(config)
  const { best } = JSON.parse(await readFile(join(config.output, 'run.json'), 'utf8'))
  const bestModel = (name: string) => readFile(join(config.output, name, 'model.safetensors'))
  const before = await bestModel('best')
  const longer = configOf(4)
  const changed = { ...longer, evaluation: { ...longer.evaluation, seed: 77 } }
  const events = await runTraining(changed)
  const notices = events.flatMap((event) => (event.type === 'notice' ? [event.message] : []))
  expect(notices).toEqual([
    expect.stringContaining('The evaluation is another one than in the first 2 steps.'),
    expect.stringContaining(`best-of-step-${best.step}`),
  ])
  expect(await bestModel(`best-of-step-${best.step}`)).toEqual(before)
  expect(await loadModelFolder(join(config.output, 'best'))).toBeDefined()
  const log = await readMetrics(join(config.output, 'metrics.jsonl'))
  expect(log.filter(({ type }) => type === 'notice').map(({ step, message }) => [step, message])).toEqual(
    notices.map((message) => [2, message]),
  )
  const identities = log.flatMap(({ type, identity }) => (type === 'evaluation-end' ? [identity] : []))
  // Step 2 is evaluated again: its weights may be the best by the new scores.
  expect(identities).toEqual([identities[0], identities[0], identities[2], identities[2]])
  expect(identities[2]).not.toBe(identities[0])
  expect((await runTraining(changed))[0]).toMatchObject({ type: 'training-start' })

  // A finished run, too, has a best model by its last evaluation.
  const again = { ...changed, evaluation: { ...changed.evaluation, seed: 78 } }
  const types = (await runTraining(again)).map(({ type }) => type)
  expect(types.slice(-3)).toEqual(['training-start', 'evaluation-end', 'training-end'])
  expect(await bestModel('best')).toEqual(await bestModel('model'))
})
