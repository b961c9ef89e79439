import { describe, expect, it } from 'vitest'
import { InFlight } from './in-flight.ts'

/** Tasks that end on command. */
function tasks(inFlight: InFlight, sizes: readonly number[]) {
  const running: number[] = []
  const ends: ((error?: Error) => void)[] = []
  const results = sizes.map((bytes, i) =>
    inFlight.run(bytes, () => {
      running.push(i)
      return new Promise<number>((resolve, reject) => {
        ends[i] = (error) => {
          running.splice(running.indexOf(i), 1)
          if (error) reject(error)
          else resolve(i)
        }
      })
    }),
  )
  const settle = () => new Promise((resolve) => setTimeout(resolve, 1))
  return { running, ends, results, settle }
}

describe('InFlight', () => {
  it('admits what fits, in order, also after a failure', async () => {
    const { running, ends, results, settle } = tasks(new InFlight(10), [6, 5, 1, 4])
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
    const { running, ends, results, settle } = tasks(new InFlight(10), [3, 50, 2])
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
