/** `memagent keys`: which names a key may have. */
import { temporaryFolder } from '@memagent/core/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { runMain } from '../testing/run-main.ts'

const folder = temporaryFolder(beforeAll, afterAll)

it('a key has a name that can be read, and is no part of a path', async () => {
  const store = ['--store', folder.join('runs.sqlite')]
  for (const name of ['', ' ', 'a/b', 'ev\u001b[31mil', ' team', 'a'.repeat(101)]) {
    const { code, stdout, stderr } = await runMain(['keys', 'add', name, ...store])
    expect([name, code, stdout]).toEqual([name, 2, ''])
    expect(stderr).toContain('A name has 1 to 100 characters')
  }
  expect((await runMain(['keys', 'add', 'Team ä', ...store])).code).toBe(0)
  expect(JSON.parse((await runMain(['keys', 'list', '--json', ...store])).stdout)).toMatchObject([
    { name: 'Team ä' },
  ])
})
