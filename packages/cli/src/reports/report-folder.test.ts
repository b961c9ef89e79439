import { appendFile, mkdir, symlink, writeFile } from 'node:fs/promises'
import { temporaryFolder } from '@memagent/core/testing'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { reportFolder } from './report-folder.ts'

const folder = temporaryFolder(beforeEach, afterEach)
const step = (at: number) => `${JSON.stringify({ type: 'step-end', step: at, loss: 1 / at })}\n`

it('lists what recorded a benchmark or a training, and nothing beside the folder', async () => {
  await mkdir(folder.join('reports/runs/.hidden'), { recursive: true })
  await writeFile(folder.join('secret.jsonl'), step(1))
  await writeFile(folder.join('reports/runs/metrics.jsonl'), step(1))
  await writeFile(folder.join('reports/runs/.hidden/metrics.jsonl'), step(1))
  await writeFile(folder.join('reports/notes.jsonl'), '{"note":"none of them"}\n')
  await symlink(folder.join('secret.jsonl'), folder.join('reports/link.jsonl'))
  await symlink(folder.path, folder.join('reports/up'))
  const reports = await reportFolder(folder.join('reports'))
  const [found, ...others] = await reports.list()
  expect(found).toEqual({
    ...{ name: 'runs/metrics.jsonl', kind: 'training', bytes: step(1).length },
    id: expect.stringMatching(/^[0-9a-f]{16}$/),
    modifiedMs: expect.any(Number),
  })
  expect(others).toEqual([])
  expect(await reports.read('../secret.jsonl')).toBeUndefined()
})

it('makes a report again when its file has grown, and says what is wrong in one without where it lies', async () => {
  const path = folder.join('metrics.jsonl')
  await writeFile(path, step(1))
  await writeFile(folder.join('record.jsonl'), '{"version":1,"key":"half"}\n')
  const reports = await reportFolder(folder.path)
  const [log, record] = (await reports.list()).map(({ id }) => id)
  const facts = async () => (await reports.read(log!))?.blocks[0]
  expect(await facts()).toMatchObject({ items: ['Last step: 1'] })
  await appendFile(path, step(2))
  expect(await facts()).toMatchObject({ items: ['Last step: 2'] })
  const failing = reports.read(record!)
  await expect(failing).rejects.toMatchObject({
    status: 422,
    message: expect.stringMatching(/^record\.jsonl, line 1, is no record/),
  })
})

it('refuses a folder that is none', async () => {
  await expect(reportFolder(folder.join('nowhere'))).rejects.toMatchObject({ code: 'cli/no-reports' })
})
