import { temporaryFolder } from '@memagent/core/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { drivers, openTested } from './testing/drivers.ts'

const folder = temporaryFolder(beforeEach, afterEach)

describe.each(drivers)('keys in $name', ({ skipped, locate }) => {
  // Skipped if the driver's server is not installed.
  it.skipIf(skipped !== undefined)(
    'are found by their hash, listed, and gone once they are removed',
    async () => {
      const store = await openTested(await locate(folder.path, 'keys'))
      const { keys } = store
      await keys.add('team a', 'aa')
      await keys.add('b', 'bb', { readings: 2, requestsPerMinute: 30 })
      expect(await keys.find('aa')).toMatchObject({
        name: 'team a',
        hash: 'aa',
        createdMs: expect.any(Number),
        limits: {},
      })
      expect(await keys.find('bb')).toMatchObject({ limits: { readings: 2, requestsPerMinute: 30 } })
      expect(await keys.find('cc')).toBeUndefined()
      expect((await keys.list()).map(({ name }) => name).sort()).toEqual(['b', 'team a'])
      await expect(keys.add('b', 'dd')).rejects.toMatchObject({ code: 'store/key-exists' })
      await keys.remove('b')
      expect(await keys.find('bb')).toBeUndefined()
      await expect(keys.remove('b')).rejects.toMatchObject({ code: 'store/no-key' })
      await store.close()
    },
  )
})
