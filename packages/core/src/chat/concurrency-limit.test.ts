import { describe, expect, it } from 'vitest'
import { createGate, type Gate } from './concurrency-limit.ts'

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
