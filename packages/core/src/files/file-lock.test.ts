import { spawnSync } from 'node:child_process'
import { readdir, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { temporaryFolder } from '../testing/temporary-folder.ts'
import { lockFile } from './file-lock.ts'

const folder = temporaryFolder(beforeEach, afterEach)
let file: string
beforeEach(() => {
  file = folder.join('record.jsonl')
})

const host = encodeURIComponent(hostname())

it('admits one holder, and the next one after it', async () => {
  const lock = await lockFile(file)
  await expect(lockFile(file)).rejects.toMatchObject({ code: 'file/locked' })
  await lock.release()
  await (await lockFile(file)).release()
  expect(await readdir(folder.path)).toEqual([])
})

it('admits at most one of many that come at once', async () => {
  const locks = await Promise.allSettled(Array.from({ length: 20 }, () => lockFile(file)))
  expect(locks.filter(({ status }) => status === 'fulfilled').length).toBeLessThanOrEqual(1)
})

it('ignores the lock of another file', async () => {
  await lockFile(folder.join('other.jsonl'))
  await expect(lockFile(file)).resolves.toBeDefined()
})

it('removes the lock of a process that is gone', async () => {
  const { pid } = spawnSync(process.execPath, ['-e', ''])
  const stale = `record.jsonl.lock-${host}-${pid}-0-0badcafe`
  await writeFile(folder.join(stale), '')
  const lock = await lockFile(file)
  expect(await readdir(folder.path)).not.toContain(stale)
  await lock.release()
})

it.runIf(process.platform === 'linux')('notices that a process number was reused', async () => {
  await writeFile(folder.join(`record.jsonl.lock-${host}-${process.pid}-1-0badcafe`), '')
  await expect(lockFile(file)).resolves.toBeDefined()
})

it('does not judge the processes of other machines', async () => {
  await writeFile(folder.join('record.jsonl.lock-elsewhere-1-0-0badcafe'), '')
  await expect(lockFile(file)).rejects.toMatchObject({
    code: 'file/locked',
    hint: expect.stringContaining('record.jsonl.lock-elsewhere-1-0-0badcafe'),
  })
  expect(await readdir(folder.path)).toEqual(['record.jsonl.lock-elsewhere-1-0-0badcafe'])
})
