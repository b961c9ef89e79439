import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readMetrics } from '../metrics/metrics-log.ts'
import { readerFolder, runTraining, shortTraining } from '../testing/short-training.ts'

const folder = readerFolder(beforeAll, afterAll)

it('a run does not go on with other lengths of the steps that are done, but with others for those to come', async () => {
  const config = shortTraining(folder.join('run'), folder.join('model'), '', { steps: 3 })
  const lengthsOf = (...lengths: number[]) => ({
    ...config,
    curriculum: lengths.map((length) => ({ steps: 1, lengths: [length] })),
  })
  await runTraining(lengthsOf(100, 200))
  await expect(runTraining(lengthsOf(100, 300, 400))).rejects.toMatchObject({
    code: 'train/checkpoint-of-another-run',
    message: expect.stringContaining('step 2 had the lengths 200, not 300'),
  })
  await runTraining({
    ...config,
    curriculum: [
      { steps: 1, lengths: [100] },
      { steps: 2, lengths: [200] },
    ],
  })
  const log = await readMetrics(join(config.output, 'metrics.jsonl'))
  const starts = log.filter(({ type }) => type === 'training-start')
  expect(starts.at(-1)).toMatchObject({ step: 2, curriculum: [{ lengths: [100] }, { steps: 2 }] })
})
