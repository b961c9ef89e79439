/** Runs of another program on this machine, in a store that a server also uses. */
import { writeFile } from 'node:fs/promises'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { Uploads } from '../files/uploads.ts'
import { openedApis } from '../testing/opened-apis.ts'
import { longText, noterUntil } from '../testing/served.ts'
import { createLocalRunService } from './local-run-service.ts'

const apis = openedApis(beforeEach, afterEach)

/** Uploads whose ids are paths. */
class Files extends Uploads {
  override async find(_: string | undefined, id: string) {
    return { id, filename: id, purpose: 'file', bytes: 1, createdMs: 0 }
  }
  override async has() {
    return true
  }
  override fileOf({ id }: { readonly id: string }) {
    return { path: id, name: id }
  }
}

it('a server neither goes on with one that was stopped, nor says that it will, nor names its files', async () => {
  const api = apis.open()
  const path = apis.folder.join('log.txt')
  await writeFile(path, longText(600))
  const { served, stopped } = noterUntil(3)
  const uploads = new Files(apis.folder.join('none'), 0)
  const onFailure = () => undefined
  const local = createLocalRunService({ models: [served], store: apis.store, uploads, onFailure })
  const { id } = await local.start(undefined, { question: 'What is the key?', files: [path] })
  await stopped
  await local.close()
  await api.runs.goOn()
  const { body } = await api.get(`/api/runs/${id}`)
  expect(body).toMatchObject({ state: 'unfinished', steps: 2, failure: { code: 'interrupted' } })
  expect(body.files).toBeUndefined()
  const resumed = await api.post(`/api/runs/${id}/resume`)
  expect([resumed.status, resumed.body.error.hint]).toEqual([
    409,
    expect.stringContaining(`memagent resume ${id}`),
  ])
})
