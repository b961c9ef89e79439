import { spawnSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { isGone, thisProcess } from './process-identity.ts'

it('tells processes of this machine that are gone', async () => {
  const self = await thisProcess()
  expect(await isGone(self)).toBe(false)
  const { pid } = spawnSync(process.execPath, ['--version'])
  expect(await isGone({ ...self, pid })).toBe(true)
})

it('judges none of another host, of another machine of the same name or of another container', async () => {
  const gone = { ...(await thisProcess()), pid: 2 ** 30 }
  expect(await isGone(gone)).toBe(true)
  expect(await isGone({ ...gone, host: 'elsewhere' })).toBe(false)
  expect(await isGone({ ...gone, machine: 'another boot pid:[4026531836]' })).toBe(false)
})

it('takes a process with another start for another one, where starts can be read', async () => {
  const self = await thisProcess()
  expect(await isGone({ ...self, start: '1' })).toBe(self.start !== '0')
})
