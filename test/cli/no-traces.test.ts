/** Reading with the bundled model leaves nothing on disk but its run: no telemetry, no cache, no log. */
import { mkdir, readdir } from 'node:fs/promises'
import { temporaryFolder } from '@memagent/core/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { runCommand } from './run-cli.ts'

const folder = temporaryFolder(beforeAll, afterAll)

it('leaves nothing in the home folder and the temporary folder', { timeout: 60_000 }, async () => {
  const [home, temporary] = [folder.join('home'), folder.join('temporary')]
  await Promise.all([mkdir(home), mkdir(temporary)])
  const { stderr } = await runCommand(['ask', 'What is the launch code?', '--quiet', '--no-store'], {
    input: 'The launch code is 4821.',
    // The runtime sends no telemetry if CI is set.
    environment: {
      HOME: home,
      XDG_CACHE_HOME: home,
      TMPDIR: temporary,
      CI: '',
      ORT_DISABLE_TELEMETRY: undefined,
    },
  })
  expect(stderr).toBe('')
  expect(await readdir(home)).toEqual([])
  expect(await readdir(temporary)).toEqual([])
})
