import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createMemoryLog } from './memory-log.ts'

describe('the log of old memories', () => {
  it('gives what was appended, and tells it once with its index', async () => {
    const told: unknown[] = []
    const start = [{ step: 0, text: 'Ann came.' }]
    const log = createMemoryLog({ start, onAppend: (entry, index) => told.push([index, entry]) })
    await log.append({ step: 4, text: 'Bob came.' })
    expect([await log.get(0), await log.get(1)]).toEqual([...start, { step: 4, text: 'Bob came.' }])
    expect(told).toEqual([[1, { step: 4, text: 'Bob came.' }]])
    expect([log.length, log.first, await log.search('came')]).toEqual([2, 0, [1, 0]])
    await expect(log.get(2)).rejects.toMatchObject({ code: 'workflow/no-such-memory' })
  })

  it('finds what comes after a search, too', async () => {
    const log = createMemoryLog()
    expect(await log.search('Ann')).toEqual([])
    await log.append({ step: 0, text: 'Ann' })
    expect(await log.search('Ann')).toEqual([0])
  })

  it('holds the newest entries that its limit has room for, and the newest in any case', async () => {
    const log = createMemoryLog({ mostCharacters: 10 })
    for (const text of ['Ann 1', 'Ann 2', 'Ann 3']) await log.append({ step: 0, text })
    expect([log.length, log.first, await log.search('Ann')]).toEqual([3, 1, [2, 1]])
    await expect(log.get(0)).rejects.toThrow('of which the first 1 are forgotten; there is no entry 0')
    await log.append({ step: 0, text: `Ann ${'x'.repeat(20)}` })
    expect([log.length, log.first, await log.search('Ann')]).toEqual([4, 3, [3]])
  })

  it('is the same after a kill as without one', async () => {
    const text = fc
      .array(fc.constantFrom('ann', 'bob', 'cay', '7'), { maxLength: 5 })
      .map((words) => words.join(' '))
    await fc.assert(
      fc.asyncProperty(
        fc.array(text, { maxLength: 20 }),
        fc.nat(20),
        fc.nat(40),
        async (texts, kill, most) => {
          const entries = texts.map((one, step) => ({ step, text: one }))
          const whole = createMemoryLog({ mostCharacters: most })
          for (const entry of entries) {
            await whole.append(entry)
            await whole.search('ann')
          }
          const resumed = createMemoryLog({ mostCharacters: most, start: entries.slice(0, kill) })
          for (const entry of entries.slice(kill)) await resumed.append(entry)
          expect([resumed.length, resumed.first]).toEqual([whole.length, whole.first])
          expect(await resumed.search('bob 7')).toEqual(await whole.search('bob 7'))
        },
      ),
    )
  })
})
