import { describe, expect, it, vi } from 'vitest'
import * as errors from './errors.ts'

const classes = Object.values(errors)
const options = { code: 'test/any', message: 'something is wrong' }

describe('isInstance', () => {
  it('agrees with instanceof for every pair of classes', () => {
    expect(classes.length).toBeGreaterThan(10)
    for (const Made of classes) {
      for (const Asked of classes) {
        const error = new Made(options)
        expect(`${Asked.name} of ${Made.name}: ${Asked.isInstance(error)}`).toBe(
          `${Asked.name} of ${Made.name}: ${error instanceof Asked}`,
        )
      }
    }
    expect(errors.TaskError.isInstance(new errors.ChatError(options))).toBe(false)
  })

  it('agrees with another copy of the package, where instanceof does not', async () => {
    vi.resetModules()
    const copy = await import('./errors.ts')
    expect(copy.ChatError).not.toBe(errors.ChatError)
    const error = new copy.RateLimitedError(options)
    expect(error instanceof errors.ChatError).toBe(false)
    expect(errors.RateLimitedError.isInstance(error)).toBe(true)
    expect(errors.ChatError.isInstance(error)).toBe(true)
    expect(errors.MemAgentError.isInstance(error)).toBe(true)
    expect(errors.ChatTimeoutError.isInstance(error)).toBe(false)
  })

  it('knows classes that other packages add', () => {
    class OwnError extends errors.TaskError {}
    expect(OwnError.isInstance(new OwnError(options))).toBe(true)
    expect(errors.TaskError.isInstance(new OwnError(options))).toBe(true)
    expect(OwnError.isInstance(new errors.TaskError(options))).toBe(false)
  })

  it('accepts nothing else as one of its errors', () => {
    for (const value of [undefined, null, 'text', 7, {}, new Error('plain'), errors.ChatError]) {
      expect(errors.MemAgentError.isInstance(value)).toBe(false)
    }
  })
})
