import { describe, expect, it } from 'vitest'
import { ChatError } from '../errors.ts'
import { sleep } from '../waiting.ts'
import { createConcurrencyLimit, createGate, type Gate } from './concurrency-limit.ts'

/** Tasks that end on command. */
function tasks(gate: Gate, sizes: readonly number[]) {
  const running: number[] = []
  const ends: ((error?: Error) => void)[] = []
  const results = sizes.map((bytes, i) =>
    gate(
      () => {
        running.push(i)
        return new Promise<number>((resolve, reject) => {
          ends[i] = (error) => {
            running.splice(running.indexOf(i), 1)
            if (error) reject(error)
            else resolve(i)
          }
        })
      },
      undefined,
      bytes,
    ),
  )
  const settle = () => new Promise((resolve) => setTimeout(resolve, 1))
  return { running, ends, results, settle }
}

const upTo10 = (bytes: number, inUse: number) => inUse === 0 || inUse + bytes <= 10

describe('createGate', () => {
  it('admits what fits, in order, also after a failure', async () => {
    const { running, ends, results, settle } = tasks(createGate(upTo10), [6, 5, 1, 4])
    await settle()
    // The third would fit but waits for the second.
    expect(running).toEqual([0])
    ends[0]!(new Error('refused'))
    await expect(results[0]).rejects.toThrow('refused')
    await settle()
    expect(running).toEqual([1, 2, 3])
    for (const i of [1, 2, 3]) ends[i]!()
    expect(await Promise.all(results.slice(1))).toEqual([1, 2, 3])
  })

  it('admits a task larger than the whole limit alone', async () => {
    const { running, ends, results, settle } = tasks(createGate(upTo10), [3, 50, 2])
    await settle()
    expect(running).toEqual([0])
    ends[0]!()
    await settle()
    expect(running).toEqual([1])
    ends[1]!()
    await settle()
    expect(running).toEqual([2])
    ends[2]!()
    expect(await Promise.all(results)).toEqual([0, 1, 2])
  })
})

describe('createConcurrencyLimit', () => {
  it('runs at most N at once, in order, and frees the place of a failed task', async () => {
    const limit = createConcurrencyLimit(2)
    const started: number[] = []
    let [active, peak] = [0, 0]
    const tasks = Array.from({ length: 7 }, (_, i) =>
      limit(async () => {
        started.push(i)
        peak = Math.max(peak, ++active)
        await sleep(1)
        active--
        if (i === 1) throw new ChatError({ code: 'x', message: 'failed' })
        return i
      }),
    )
    const results = await Promise.allSettled(tasks)
    expect(peak).toBe(2)
    expect(started).toEqual([0, 1, 2, 3, 4, 5, 6])
    expect(results.filter(({ status }) => status === 'rejected')).toHaveLength(1)
  })

  it('a task that is aborted in the queue never starts and takes no slot', async () => {
    const limit = createConcurrencyLimit(1)
    const controller = new AbortController()
    const first = limit(() => sleep(5))
    const second = limit(async () => 'second', controller.signal)
    controller.abort(new Error('stop'))
    await expect(second).rejects.toThrow('stop')
    expect(await limit(async () => 'third')).toBe('third')
    await first
  })

  it('rejects an invalid number of places', () => {
    expect(() => createConcurrencyLimit(0)).toThrow('concurrency must be a positive integer, not 0')
  })
})
