import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { StoreError } from '../errors.ts'
import { checkAddress, isPostgresAddress, withoutPassword } from './address.ts'

describe('an address', () => {
  it('is told from a path', () => {
    expect(['postgres://host/runs', 'postgresql:///runs', 'POSTGRES://h'].every(isPostgresAddress)).toBe(true)
    expect(['runs.sqlite', './postgres:', 'C:\\postgres', 'postgres/runs'].some(isPostgresAddress)).toBe(
      false,
    )
  })

  it.each([
    ['postgres://ann:secret@db.example:5432/runs', 'postgres://ann@db.example:5432/runs'],
    [
      'postgres://db.example/runs?password=secret&sslmode=require',
      'postgres://db.example/runs?sslmode=require',
    ],
    ['postgres://:secret@/runs?host=/var/run', 'postgres:///runs?host=/var/run'],
    ['postgres://ann@[::1]/runs', 'postgres://ann@[::1]/runs'],
    ['/home/ann/runs.sqlite', '/home/ann/runs.sqlite'],
  ])('%s is shown as %s', (address, shown) => {
    expect(withoutPassword(address)).toBe(shown)
  })

  it('never shows a password, however it is written', () => {
    const mark = 'SECRET'
    const around = fc.string({ unit: fc.constantFrom(...':/?#@&=%x1 é'), maxLength: 8 })
    fc.assert(
      fc.property(around, around, fc.boolean(), (before, after, isEncoded) => {
        const raw = `${before}${mark}${after}`
        const address = `postgres://ann:${isEncoded ? encodeURIComponent(raw) : raw}@host:5432/runs`
        let message = ''
        try {
          checkAddress(address)
          message = withoutPassword(address)
        } catch (error) {
          message = JSON.stringify([
            (error as Error).message,
            (error as StoreError).hint,
            (error as StoreError).details,
          ])
        }
        expect(message).not.toContain(mark)
        if (isEncoded) expect(message).toBe('postgres://ann@host:5432/runs')
      }),
    )
  })

  it.each([
    'postgres://ann:a#b@host/runs',
    'postgres://ann:1/b@host/runs',
    'postgres://ann:%zz@host/runs',
    'postgres://a b:x@ho st/',
  ])('%s is refused', (address) => {
    expect(() => checkAddress(address)).toThrow(expect.objectContaining({ code: 'store/bad-address' }))
  })
})
