/** Runs the example of docs/benchmark-report.md, and checks its table of labels against the signatures. */
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { signatures } from '../diagnosis/signatures/registry.ts'
import { makeRecord } from '../testing/made-records.ts'

const page = resolve(import.meta.dirname, '../../../../docs/benchmark-report.md')
let folder: string
let text: string
beforeAll(async () => {
  folder = await mkdtemp(resolve(import.meta.dirname, '../../.documentation-'))
  text = await readFile(page, 'utf8')
})
afterAll(() => rm(folder, { recursive: true }))

it('docs/benchmark-report.md shows code that works', async () => {
  const [, code] = /```js\n([\s\S]*?)```/.exec(text)!
  await writeFile(join(folder, 'record.jsonl'), `${JSON.stringify(makeRecord())}\n`)
  const placed = code!
    .replace("'record.jsonl'", JSON.stringify(join(folder, 'record.jsonl')))
    .replace("'report'", JSON.stringify(join(folder, 'report')))
  await writeFile(join(folder, 'run.js'), `${placed}\nexport { analysis }\n`)
  const { analysis } = await import(join(folder, 'run.js'))
  expect(analysis.cells[0].metrics.strict).toMatchObject({ value: 1, count: 1 })
  expect(await readdir(join(folder, 'report'))).toContain('report.html')
})

it('docs/benchmark-report.md lists the labels in the order in which they are tried', () => {
  const [, table] = /\| label \|[^\n]*\n\|[-|]*\n([\s\S]*?)\n\n/.exec(text)!
  const labels = table!.split('\n').map((row) => row.split('|')[1]!.trim())
  const titles = signatures.map(({ title }) => title)
  expect(labels).toEqual(titles)
})
