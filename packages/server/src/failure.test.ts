import { DocumentError } from '@memagent/core'
import { StoreError } from '@memagent/store'
import { describe, expect, it } from 'vitest'
import { failureOf } from './failure.ts'

const of = (code: string, details = {}) =>
  failureOf(
    new StoreError({
      code,
      message: 'The store /home/ann/runs.sqlite is held by 123 on host.',
      hint: 'memagent runs',
      details,
    }),
  )

it('options of commands are no advice to clients', () => {
  const said = { code: 'document/no-text', message: 'There is no text in a.txt.' }
  const told = (hint: string) => failureOf(new DocumentError({ ...said, hint })).message
  expect(told('To ask anyway: --allow-empty.')).toBe(said.message)
  expect(told('Give another file.')).toBe(`${said.message}\nGive another file.`)
})

describe('of the store', () => {
  it('clients learn neither paths nor commands', () => {
    for (const code of ['full', 'busy', 'damaged', 'run-in-use', 'session-in-use', 'lease-lost', 'no-run']) {
      const failure = of(`store/${code}`, { id: 'abc', name: 'diary', pid: 123, host: 'host' })
      expect(JSON.stringify(failure)).not.toMatch(/home|123|memagent /)
    }
  })

  it('what is in the way is a conflict, what is not there is not found, and what is broken is no fault of theirs', () => {
    const conflicts = ['run-in-use', 'run-of-session', 'lease-lost', 'another-run', 'nothing-read']
    const ofSessions = ['session-in-use', 'session-unfinished', 'session-moved']
    for (const code of [...conflicts, ...ofSessions]) expect(of(`store/${code}`).status).toBe(409)
    for (const code of ['no-run', 'ambiguous-run', 'no-session', 'no-question'])
      expect(of(`store/${code}`).status).toBe(404)
    for (const code of ['full', 'lost'])
      expect(of(`store/${code}`)).toMatchObject({ status: 503, retryAfterSeconds: 5 })
    expect(of('store/damaged', { id: 'abc' })).toMatchObject({ status: 500, code: 'server/run-damaged' })
    expect(of('store/damaged')).toMatchObject({ status: 503, retryAfterSeconds: undefined })
  })
})
