import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openKeyStore } from './key-store.ts'
import { drivers } from './testing/drivers.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'memagent-keys-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

for (const driver of drivers) {
  describe.skipIf(driver.skipped)(`keys in ${driver.name}`, () => {
    it('are found by their hash, listed, and gone once they are removed', async () => {
      const keys = await openKeyStore(await driver.locate(folder, 'keys'))
      await keys.add('team a', 'aa')
      await keys.add('b', 'bb')
      expect(await keys.find('aa')).toMatchObject({
        name: 'team a',
        hash: 'aa',
        createdMs: expect.any(Number),
      })
      expect(await keys.find('cc')).toBeUndefined()
      expect((await keys.list()).map(({ name }) => name).sort()).toEqual(['b', 'team a'])
      await expect(keys.add('b', 'dd')).rejects.toMatchObject({ code: 'store/key-exists' })
      await keys.remove('b')
      expect(await keys.find('bb')).toBeUndefined()
      await expect(keys.remove('b')).rejects.toMatchObject({ code: 'store/no-key' })
      await keys.close()
    })
  })
}
