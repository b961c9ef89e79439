import { appendFile, mkdir, readFile } from 'node:fs/promises'
import { temporaryFolder } from '@memagent/core/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openMetricsLog, readMetrics } from './metrics-log.ts'
import { encodeEventFile } from './tensorboard.ts'

describe('the log of a training run', () => {
  const folder = temporaryFolder(beforeEach, afterEach)
  const step = (number: number) => ({
    type: 'step-end',
    step: number,
    time: 10 + number,
    metrics: { reward: 0.5 },
  })

  it('drops lines that were not saved, and one that was cut short', async () => {
    const first = await openMetricsLog(folder.path, 0)
    for (const number of [1, 2, 3]) await first.append(step(number))
    await appendFile(first.path, '{"type":"step-e')
    const second = await openMetricsLog(folder.path, 2)
    await second.append(step(3))
    expect(await readMetrics(second.path)).toEqual([step(1), step(2), step(3)])
  })

  it.each(['null', '3', '[]', '{}', '{"step":"two"}'])(
    'drops a line %s that is none of its own',
    async (line) => {
      const first = await openMetricsLog(folder.path, 0)
      await first.append(step(1))
      await appendFile(first.path, `${line}\n`)
      const second = await openMetricsLog(folder.path, 1)
      await second.append(step(2))
      expect(await readMetrics(second.path)).toEqual([step(1), step(2)])
    },
  )

  it('keeps earlier evaluations where none compares any more', async () => {
    const evaluation = (number: number) => ({ ...step(number), type: 'evaluation-end' })
    const first = await openMetricsLog(folder.path, 0)
    for (const line of [step(4), evaluation(4), step(5), evaluation(5)]) await first.append(line)
    const second = await openMetricsLog(folder.path, 5, -1)
    expect(await readMetrics(second.path)).toEqual([step(4), evaluation(4), step(5)])
  })

  it('of a run without its checkpoint is kept beside that of a new run', async () => {
    for (const number of [1, 2]) {
      const log = await openMetricsLog(folder.path, -1)
      expect(await readMetrics(log.path)).toEqual([])
      await log.append(step(number))
    }
    await openMetricsLog(folder.path, -1)
    expect(await readMetrics(folder.join('metrics.1.jsonl'))).toEqual([step(1)])
    expect(await readMetrics(folder.join('metrics.2.jsonl'))).toEqual([step(2)])
  })

  it('is not taken for empty, and written over, where it cannot be read', async () => {
    await mkdir(folder.join('metrics.jsonl'))
    await expect(openMetricsLog(folder.path, 1)).rejects.toMatchObject({
      code: 'train/unreadable-log',
      message: expect.stringMatching(/^Cannot read \S+metrics\.jsonl: /),
    })
    expect(await readMetrics(folder.join('none.jsonl'))).toEqual([])
  })

  it('drops an evaluation that will run again, though its step was saved', async () => {
    const evaluation = (at: number) => ({ type: 'evaluation-end', step: at, time: 20, results: [] })
    const first = await openMetricsLog(folder.path, 0)
    for (const record of [step(1), evaluation(1), step(2), evaluation(2)]) await first.append(record)
    const second = await openMetricsLog(folder.path, 2, 1)
    expect(await readMetrics(second.path)).toEqual([step(1), evaluation(1), step(2)])
  })

  it('gives TensorBoard every number under its path, and no lists', async () => {
    const log = await openMetricsLog(folder.path, 0)
    await log.append({ ...step(1), metrics: { reward: 0.5, seconds: { total: 2 }, name: 'x' } })
    const results = [{ lengthTokens: 64, metrics: { strict: 1 }, scores: [1] }]
    await log.append({ type: 'evaluation-end', step: 1, time: 12, results })
    await log.append({ type: 'saved', step: 1, time: 13 })
    await log.flush()
    expect(await readFile(folder.join('events.out.tfevents.11.memagent'))).toEqual(
      encodeEventFile(11, [
        { wallTime: 11, step: 1, scalars: { 'train/reward': 0.5, 'train/seconds/total': 2 } },
        { wallTime: 12, step: 1, scalars: { 'evaluation/64/metrics/strict': 1 } },
        { wallTime: 13, step: 1, scalars: {} },
      ]),
    )
  })
})
