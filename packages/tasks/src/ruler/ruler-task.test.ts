import { writeFile } from 'node:fs/promises'
import { temporaryFolder } from '@memagent/core/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { tasks } from '../registry.ts'
import { countTokensRoughly as countTokens, sampleProse } from '../testing/fixtures.ts'
import { textOf } from '../testing/task-contract.ts'
import { type RulerTaskName, rulerConfigurations } from './configurations.ts'
import { rulerTask } from './ruler-task.ts'

const prose = sampleProse()

describe('the thirteen tasks', () => {
  it('are all registered under their names', async () => {
    const names = Object.keys(rulerConfigurations) as RulerTaskName[]
    expect(names.length).toBe(13)
    for (const name of names.filter((one) => !one.startsWith('qa-'))) {
      expect((await tasks[name]({ prose })).name).toBe(name)
    }
    await expect(tasks['qa-squad']({ prose })).rejects.toMatchObject({ code: 'task/bad-option' })
  })

  it('plan millions of tokens without writing them', async () => {
    for (const name of ['niah-single-1', 'niah-multikey-2', 'frequent-words'] as const) {
      const sample = await (await rulerTask(name).create({})).sample({
        index: 0,
        seed: 0,
        lengthTokens: 3_500_000,
        countTokens,
      })
      let tokens = 0
      let longest = 0
      for await (const { text } of sample.document.open()) {
        tokens += countTokens(text)
        longest = Math.max(longest, text.length)
      }
      expect(Math.abs(tokens / 3_500_000 - 1), name).toBeLessThan(0.01)
      expect(longest).toBeLessThan(100_000)
    }
  })
})

describe('lengths', () => {
  it('that are not numbers of tokens are refused', async () => {
    for (const name of ['niah-single-1', 'frequent-words', 'common-words'] as const) {
      const task = await rulerTask(name).create({})
      for (const lengthTokens of [Number.NaN, Number.POSITIVE_INFINITY, 1000.5, -5]) {
        const drawn = task.sample({ index: 0, seed: 0, lengthTokens, countTokens })
        await expect(drawn).rejects.toMatchObject({ code: 'task/bad-request' })
      }
      await expect(task.sample({ index: 0, seed: 0, lengthTokens: 5, countTokens })).rejects.toMatchObject({
        code: 'task/document-too-short',
      })
    }
  })
})

describe('options', () => {
  it('that do not exist are refused', async () => {
    const misspelt = { essay: 'x' } as object
    await expect(tasks['niah-single-2'](misspelt)).rejects.toMatchObject({ code: 'task/unknown-option' })
  })

  const folder = temporaryFolder(beforeAll, afterAll)
  it('name the essays that hold the needles', async () => {
    const [right, wrong] = [folder.join('essays.json'), folder.join('wrong.json')]
    const words = 'Some words of an essay that go on and on in it. '
    await writeFile(right, JSON.stringify({ text: words.repeat(40) }))
    await writeFile(wrong, JSON.stringify({ texts: [] }))
    const task = await rulerTask('niah-single-2').create({ prose, essays: right })
    const sample = await task.sample({ index: 0, seed: 0, lengthTokens: 2000, countTokens })
    expect(await textOf(sample)).toContain(words)
    const isAboutEssays = (deviation: string) => deviation.includes('Paul Graham')
    expect(task.deviations?.filter(isAboutEssays)).toEqual([])
    const other = await rulerTask('niah-single-2').create({ prose })
    expect(other.deviations?.filter(isAboutEssays)).toEqual([
      'The haystack is sample prose instead of Paul Graham’s essays.',
    ])
    for (const [essays, code] of [
      [wrong, 'task/bad-format'],
      [folder.join('none.json'), 'task/unreadable-file'],
    ] as const) {
      await expect(rulerTask('niah-single-2').create({ essays })).rejects.toMatchObject({
        code,
        hint: expect.stringContaining('PaulGrahamEssays.json'),
      })
    }
  })
})
