import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readerFolder, shortTraining, unboxed } from '../testing/short-training.ts'
import type { RlConfig } from './config.ts'
import { createTrainingParts } from './training-parts.ts'

const folder = readerFolder(beforeAll, afterAll)
const write = (name: string, text: string) => writeFile(join(folder.path, name), text)
beforeAll(async () => {
  await mkdir(folder.join('prose'))
  await write('a.jsonl', JSON.stringify({ question: 'Who?', document: 'Ann came.', answers: ['Ann'] }))
  await write(
    'prose/prose.txt',
    'The river runs under the bridge of stone, and it is the end of the day for us.\n',
  )
})

const configOf = (task: RlConfig['task'], change: object = {}) => ({
  ...shortTraining(folder.join('run'), folder.join('model')),
  ...change,
  evaluation: { every: 1, samples: 1, lengths: [12], seed: 9, temperature: 0 },
  task,
})
const partsOf = (...given: Parameters<typeof configOf>) =>
  createTrainingParts(configOf(...given), { workflow: unboxed })
const contentOf = async (...given: Parameters<typeof configOf>) => (await partsOf(...given)).content
const module = { name: 'module', options: { path: '' }, evaluationOptions: {} }

describe('the content of a run', () => {
  it('has no prose that the task does not take', async () => {
    const rows = { name: 'jsonl', options: { path: folder.join('a.jsonl') }, evaluationOptions: {} }
    const withProse = { ...rows, prose: folder.join('prose') }
    const content = await contentOf(withProse)
    expect((await partsOf(withProse)).notices).toContainEqual(
      expect.stringMatching(/^task\.prose has no effect/),
    )
    const padded = { ...withProse, options: { ...rows.options, pad: true } }
    const before = await contentOf(padded)
    await write(
      'prose/prose.txt',
      'The river runs under the bridge of wood, and it is the end of the day for us.\n',
    )
    expect(await contentOf(withProse)).toBe(content)
    expect(await contentOf(padded)).not.toBe(before)
  })

  it('has the imports of modules, and rewards of steps', async () => {
    await write('words.mjs', 'export const word = "one"')
    await write(
      'task.mjs',
      `import { word } from './words.mjs'
export default { name: 'mine', sample: async () => ({}), score: () => ({ strict: Number(word === 'one') }) }`,
    )
    await write('reward.mjs', 'export default ({ conversations }) => conversations.map(() => 0)')
    const mine = { ...module, options: { path: folder.join('task.mjs') } }
    const reward = { reward: { metric: 'strict', steps: { name: folder.join('reward.mjs'), alpha: 0.5 } } }
    const contents = [await contentOf(mine), await contentOf(mine, reward)]
    await write('words.mjs', 'export const word = "two"')
    contents.push(await contentOf(mine), await contentOf(mine, reward))
    await write('reward.mjs', 'export default ({ conversations }) => conversations.map(() => 1)')
    contents.push(await contentOf(mine, reward))
    expect(new Set(contents).size).toBe(5)
  })
})
