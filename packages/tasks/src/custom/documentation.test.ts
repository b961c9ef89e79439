/** Runs the examples of docs/custom-tasks.md in a folder of the package, in place of the reader's own. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { tasks } from '../registry.ts'

const page = resolve(import.meta.dirname, '../../../../docs/custom-tasks.md')
let folder: string
let blocks: { language: string; code: string }[]
beforeAll(async () => {
  folder = await mkdtemp(resolve(import.meta.dirname, '../../.documentation-'))
  blocks = [...(await readFile(page, 'utf8')).matchAll(/```(\w+)\n([\s\S]*?)```/g)].map((match) => ({
    language: match[1]!,
    code: match[2]!,
  }))
})
afterAll(() => rm(folder, { recursive: true }))

const request = { seed: 1, lengthTokens: 0, countTokens: (text: string) => text.length }

describe('docs/custom-tasks.md', () => {
  it('shows a file of questions that works', async () => {
    const path = join(folder, 'questions.jsonl')
    await writeFile(path, blocks.find(({ language }) => language === 'jsonl')!.code)
    await writeFile(join(folder, 'log.txt'), 'The ferry called at Bergen. The ferry called at Oslo.\n')
    const task = await tasks.jsonl({ path })
    for (const index of [0, 1, 2]) {
      const sample = await task.sample({ ...request, index })
      const answer = sample.references.length === 0 ? undefined : sample.references.join('; ')
      expect(task.score(sample, answer)).toEqual({ strict: 1, lenient: 1 })
    }
  })

  it('shows a module that works', async () => {
    const path = join(folder, 'gates.js')
    await writeFile(path, blocks.find(({ code }) => code.includes('export function createTask'))!.code)
    const task = await tasks.module({ path, gates: 5 })
    const sample = await task.sample({ ...request, index: 0 })
    expect(sample.question).toMatch(/^What is the code of gate [1-5]\?$/)
    expect(task.score(sample, sample.references[0])).toEqual({ strict: 1, lenient: 1 })
  })

  it('shows a module that declares its options', async () => {
    const path = join(folder, 'declared.js')
    const code = blocks.find((block) => block.code.includes('defineTask('))!.code
    await writeFile(join(folder, 'gates.js'), blocks.find((block) => block.code.includes('createTask'))!.code)
    await writeFile(path, code)
    expect((await tasks.module({ path, prose: 'given to every task' })).name).toBe('gates')
    const sample = await (await tasks.module({ path, gates: 9 })).sample({ ...request, index: 0 })
    expect(sample.labels).toEqual({ gates: 9 })
    await expect(tasks.module({ path, gates: 0 })).rejects.toThrow(
      'The task gates cannot be made: gates cannot be 0 (it takes a whole number of at least 1).',
    )
    await expect(tasks.module({ path, gate: 2 })).rejects.toThrow('gate is unknown (did you mean gates?)')
  })

  it('shows a training that is evaluated on other questions than its own', () => {
    const paths = blocks
      .filter(({ language }) => language === 'yaml')
      .map(({ code }) => [...code.matchAll(/path: (\S+)/g)].map(([, path]) => path))
    expect(paths).toEqual([['questions.jsonl', 'held-out.jsonl']])
  })

  it('shows how they are loaded', async () => {
    const loading = blocks.filter(
      ({ code }) => code.includes("from '@memagent/tasks'") && code.includes('console.log'),
    )
    expect(loading.length).toBe(2)
    for (const [i, { code }] of loading.entries()) {
      const placed = code.replace(/'(questions\.jsonl|gates\.js)'/, (_, name) =>
        JSON.stringify(join(folder, name)),
      )
      await writeFile(join(folder, `load-${i}.js`), `${placed}\nexport { sample, task }\n`)
      const { sample, task } = await import(join(folder, `load-${i}.js`))
      const answer = sample.references.length === 0 ? undefined : sample.references.join('; ')
      expect(task.score(sample, answer).strict).toBe(1)
    }
  })
})
