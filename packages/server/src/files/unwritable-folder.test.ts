/** What clients are told if the server cannot keep their files. */
import { rm, writeFile } from 'node:fs/promises'
import { StoreError } from '@memagent/store'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openedApis } from '../testing/opened-apis.ts'

const apis = openedApis(beforeEach, afterEach)

it('that the server failed, not the upload, and the next one is kept once the folder can be written', async () => {
  const failures: unknown[] = []
  const api = apis.open(undefined, { onFailure: (error) => failures.push(error) })
  const folder = apis.folder.join('uploads')
  await writeFile(folder, 'in the way')
  await expect(api.upload('a.txt', 'x'.repeat(100_000))).rejects.toThrow('"server/store-failed"')
  const pasted = await api.post('/api/runs', { question: 'What?', text: 'The key is 4.' })
  expect([pasted.status, pasted.body.error.code]).toEqual([503, 'server/store-failed'])
  expect(JSON.stringify(pasted.body)).not.toContain(apis.folder.path)
  const logged = { code: 'store/unwritable', message: expect.stringContaining(`${folder}: ENOTDIR`) }
  expect(failures).toMatchObject([logged, logged])
  expect(failures.every((error) => StoreError.isInstance(error))).toBe(true)
  await rm(folder)
  expect(await api.upload('a.txt', 'x'.repeat(100_000))).toMatchObject({ bytes: 100_000 })
})
