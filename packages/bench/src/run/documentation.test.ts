/** Runs the example of docs/benchmark.md. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'

const page = resolve(import.meta.dirname, '../../../../docs/benchmark.md')
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(resolve(import.meta.dirname, '../../.documentation-'))
})
afterAll(() => rm(folder, { recursive: true }))

it('docs/benchmark.md shows a run that works', async () => {
  const [, code] = /```js\n([\s\S]*?)```/.exec(await readFile(page, 'utf8'))!
  const line = {
    question: 'Who keeps the lighthouse?',
    document: 'Anna keeps the lighthouse.',
    answers: ['Anna'],
  }
  await writeFile(join(folder, 'questions.jsonl'), JSON.stringify(line))
  const placed = code!.replace(/'(questions|record)\.jsonl'/g, (_, name) =>
    JSON.stringify(join(folder, `${name}.jsonl`)),
  )
  await writeFile(join(folder, 'run.js'), `${placed}\nexport { summary }\n`)
  const { summary } = await import(join(folder, 'run.js'))
  expect(summary).toMatchObject({
    samples: 6,
    failed: 0,
    groups: [
      { task: 'mine', method: 'overwrite', metrics: { strict: 1 } },
      { task: 'mine', method: 'truncate', metrics: { strict: 1 } },
    ],
  })
  expect((await readFile(join(folder, 'record.jsonl'), 'utf8')).trim().split('\n')).toHaveLength(6)
})
