/** Commands printed for pasting work in a shell. */
import { execFileSync } from 'node:child_process'
import { StoreError } from '@memagent/store'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { namingStore, quoted, storePlace } from './open-store.ts'

it.each([{ store: 'mysql://me@host/runs' }, {}])(
  'an address of another kind is no path: %j',
  async (flags) => {
    const environment = { MEMAGENT_STORE: 'file:///tmp/runs.sqlite' }
    await expect(storePlace(flags, { environment })).rejects.toMatchObject({ code: 'store/unknown-kind' })
  },
)

it.skipIf(process.platform === 'win32')('quotes any word for the shell', () => {
  expect(quoted('runs/of-1.sqlite')).toBe('runs/of-1.sqlite')
  const words = fc.sample(
    fc.string({ unit: 'grapheme', minLength: 1 }).filter((word) => !/\0/.test(word)),
    50,
  )
  for (const word of [...words, "it's", '$HOME', '`id`', 'a b', '-x', '*', '!', '"', '\\', '~']) {
    expect(execFileSync('sh', ['-c', `printf %s ${quoted(word)}`], { encoding: 'utf8' })).toBe(word)
  }
})

it('names the store in the commands of hints', () => {
  const error = new StoreError({ code: 'store/no-run', message: 'None.', hint: 'Listed by: memagent runs' })
  expect(namingStore(error, { store: 'my runs' })).toMatchObject({
    hint: "Listed by: memagent runs --store 'my runs'",
  })
  expect(namingStore(error, {})).toBe(error)
  const shown = new StoreError({
    code: 'store/lease-lost',
    message: 'Lost.',
    hint: 'See: memagent show 0123456789',
  })
  expect(namingStore(shown, { store: 's' })).toMatchObject({
    hint: 'See: memagent show 0123456789 --store s',
  })
  const several = new StoreError({
    code: 'store/run-exists',
    message: 'Here.',
    hint: 'memagent runs rm 0123456789 abcdef0123',
  })
  expect(namingStore(several, { store: 's' })).toMatchObject({ hint: `${several.hint} --store s` })
  const exported = new StoreError({
    code: 'store/bad-import',
    message: 'Bad.',
    hint: 'What memagent runs export wrote.',
  })
  expect(namingStore(exported, { store: 's' })).toMatchObject({ hint: exported.hint })
  const hint = 'To start over: memagent runs rm 0123456789 --store s'
  const named = new StoreError({ code: 'store/changed', message: 'Another.', hint })
  expect(namingStore(named, { store: 's' })).toMatchObject({ hint })
})
