/** What is found in folders and by globs, and what is said of folders that cannot be read. */
import { mkdirSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { temporaryFolder } from '@memagent/core/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { findFiles } from './find-files.ts'

const folder = temporaryFolder(beforeAll, afterAll)

it.runIf(process.platform === 'linux')(
  'says which folder below a folder or glob cannot be read, unless a pattern leaves it out',
  async () => {
    await mkdir(folder.join('open'))
    await writeFile(folder.join('open/a.txt'), 'dawn')
    // By its decoded name, not even root can enter it.
    mkdirSync(Buffer.from(`${folder.path}/\xe9`, 'latin1'))
    for (const path of [folder.path, folder.join('**/*.txt'), folder.join('*/*.txt')]) {
      await expect(findFiles([path])).rejects.toThrow(/\ufffd: its name is not UTF-8\.$/)
      const passedOver: string[] = []
      const found = await findFiles([path], { onUnreadable: (_, unread) => passedOver.push(unread) })
      expect([found.length, passedOver]).toEqual([1, [folder.join('\ufffd')]])
      expect(await findFiles([path], { exclude: ['\ufffd'] })).toHaveLength(1)
    }
  },
)

it('finds nothing below a folder that does not exist, which is no folder that cannot be read', async () => {
  await expect(findFiles([folder.join('none/*.txt')])).rejects.toThrow(/^No file matches /)
})
