import { writeFile } from 'node:fs/promises'
import { temporaryFolder } from '@memagent/core/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readTrainingLog } from '../../recipes/lab/report/training-log.ts'
import { evaluation, stepEnd } from './made-results.ts'

const folder = temporaryFolder(beforeEach, afterEach)

describe('a training log', () => {
  it('counts the last line of a step, in order, and nothing that was cut short', async () => {
    const path = folder.join('log.jsonl')
    const lines = [evaluation(0, [0]), stepEnd(1, 0.5), stepEnd(2, 0.5), stepEnd(2, 0.25), stepEnd(1, 0.75)]
    await writeFile(path, `${lines.map((line) => JSON.stringify(line)).join('\n')}\n{"type":"step-end","st`)
    const log = await readTrainingLog(path)
    expect(log!.steps.map(({ step, loss }) => [step, loss])).toEqual([
      [1, 0.75],
      [2, 0.25],
    ])
    expect(log!.evaluations).toHaveLength(1)
  })
})
