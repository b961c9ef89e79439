import { createTextDocument } from '@memagent/core'
import type { Sample, SampleRequest, Task } from '@memagent/tasks'
import { describe, expect, it } from 'vitest'
import { SamplesAhead } from './samples-ahead.ts'

function makeTask() {
  const made: number[] = []
  const task: Task = {
    name: 'numbers',
    async sample({ index, lengthTokens }): Promise<Sample> {
      made.push(index)
      if (index === 13) throw new Error('unlucky')
      return {
        id: `${index}/${lengthTokens}`,
        question: '?',
        document: createTextDocument('.', '.'),
        references: [],
        match: 'any',
        evidence: [],
        labels: {},
      }
    },
    score: () => ({}),
  }
  return { ahead: new SamplesAhead(task), made }
}
const request = (index: number, lengthTokens = 100): SampleRequest => ({
  index,
  seed: 1,
  lengthTokens,
  countTokens: (text) => text.length,
})
const later = () => new Promise((resolve) => setTimeout(resolve, 40))

describe('SamplesAhead', () => {
  it('makes a sample once, ahead of time or on demand', async () => {
    const { ahead, made } = makeTask()
    expect((await ahead.take(request(0))).id).toBe('0/100')
    ahead.prepare([request(1), request(2)])
    expect(made).toEqual([0])
    expect((await ahead.take(request(1))).id).toBe('1/100')
    await later()
    expect((await ahead.take(request(2))).id).toBe('2/100')
    expect(made.filter((index) => index === 2)).toHaveLength(1)
  })

  it('returns no sample of another length, and drops unused ones', async () => {
    const { ahead, made } = makeTask()
    ahead.prepare([request(1)])
    await later()
    expect((await ahead.take(request(1, 200))).id).toBe('1/200')
    ahead.prepare([])
    await ahead.take(request(1))
    expect(made).toEqual([1, 1, 1])
  })

  it('throws a failure when the sample is taken', async () => {
    const { ahead } = makeTask()
    ahead.prepare([request(13)])
    await later()
    await expect(ahead.take(request(13))).rejects.toThrow('unlucky')
  })
})
