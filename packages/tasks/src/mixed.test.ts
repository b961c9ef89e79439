import { describe, expect, it } from 'vitest'
import { tasks } from './registry.ts'
import { countTokensRoughly as countTokens, registerContract, sampleProse } from './testing/fixtures.ts'

const prose = sampleProse()
const parts = {
  list: { task: 'several-values', weight: 3 },
  latest: { task: 'many-facts', options: { choice: 'latest' } },
  variables: { task: 'variable-tracking' },
}

describe('mixed', () => {
  const request = { seed: 4, lengthTokens: 1500, countTokens }

  registerContract(it, () => tasks.mixed({ prose, tasks: { list: { task: 'several-values' } } }))

  it('draws by weight what its tasks draw, and scores by them', async () => {
    const task = await tasks.mixed({ prose, tasks: parts, shared: { split: 'train', templates: 'train' } })
    const list = await tasks['several-values']({ prose, split: 'train', templates: 'train' })
    const drawn = new Map<string, number>()
    for (let index = 0; index < 200; index += 1) {
      const sample = await task.sample({ ...request, index })
      const skill = `${sample.labels.skill}`
      drawn.set(skill, (drawn.get(skill) ?? 0) + 1)
      expect(task.score(sample, sample.references.join('; '))).toMatchObject({ strict: 1 })
      if (skill !== 'list') continue
      const { question, references } = await list.sample({ ...request, index })
      expect([sample.question, sample.references]).toEqual([question, references])
      const half = task.score(sample, sample.references[0]).strict
      expect(half).toBe(1 / references.length)
    }
    expect(drawn.get('list')! / 200).toBeCloseTo(0.6, 1)
    expect([...drawn.keys()].toSorted()).toEqual(['latest', 'list', 'variables'])
  })

  it('refuses what it cannot mix', async () => {
    const create = async (task: string, options = {}) =>
      tasks.mixed({ prose, tasks: { mine: { task, options } } })
    await expect(create('severl-values')).rejects.toThrow(/tasks\.mine\.task cannot be "severl-values"/)
    for (const task of ['jsonl', 'mixed', 'longbench']) {
      await expect(create(task)).rejects.toThrow(/it takes one of facts-in-prose, /)
    }
    await expect(create('several-values', { value: 3 })).rejects.toThrow(/value is unknown/)
    await expect(tasks.mixed({ prose, tasks: {} })).rejects.toThrow(/tasks cannot be \{\}/)
  })
})
