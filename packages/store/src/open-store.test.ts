import { expect, it } from 'vitest'
import { openRunStore } from './open-store.ts'

it.each([
  'mysql://me:secret@host/runs',
  'file:///tmp/runs.sqlite',
  'postgress://me:secret@host/runs',
  ':memory:',
])('no file is made of %s', async (location) => {
  const error = await openRunStore(location).catch((thrown: unknown) => thrown)
  expect(error).toMatchObject({
    code: 'store/unknown-kind',
    hint: expect.stringContaining('postgres://USER@HOST:PORT/DATABASE'),
  })
  expect((error as Error).message).not.toContain('secret')
})
