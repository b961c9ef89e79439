import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { concurrently } from './concurrently.ts'

const nothing = () => undefined

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = []
  for await (const item of items) all.push(item)
  return all
}

it('yields results in the order of the items, whichever finishes first', async () => {
  const work = async (item: number) => {
    await sleep((item * 7) % 5)
    return item * 10
  }
  expect(await collect(concurrently([0, 1, 2, 3, 4, 5, 6], 3, work, nothing))).toEqual([
    0, 10, 20, 30, 40, 50, 60,
  ])
})

it('has no more under way than there are places, and reads no further ahead', async () => {
  let [underWay, most, read] = [0, 0, 0]
  let done = 0
  async function* items() {
    for (; read < 20; read++) {
      expect(read - done).toBeLessThanOrEqual(4)
      yield read
    }
  }
  const work = async () => {
    most = Math.max(most, ++underWay)
    await sleep(1)
    underWay--
    done++
  }
  await collect(concurrently(items(), 4, work, nothing))
  expect(most).toBe(4)
  expect(done).toBe(20)
})

it('throws the failure, stops what is under way, and waits until it has ended', async () => {
  const stopping = new AbortController()
  const ended: number[] = []
  let isClosed = false
  async function* items() {
    try {
      for (let i = 0; ; i++) yield i
    } finally {
      isClosed = true
    }
  }
  const work = async (item: number) => {
    if (item === 1) throw new Error('broken')
    try {
      if (item > 1) await sleep(10_000, undefined, { signal: stopping.signal })
    } finally {
      await sleep(2)
      ended.push(item)
    }
  }
  await expect(collect(concurrently(items(), 4, work, () => stopping.abort()))).rejects.toThrow('broken')
  expect(isClosed).toBe(true)
  expect(ended.toSorted()).toEqual([0, 2, 3, 4])
})

it('stops what is under way when the reader has enough', async () => {
  let hasStopped = false
  for await (const _ of concurrently(
    [1, 2, 3, 4],
    2,
    async (item) => item,
    () => {
      hasStopped = true
    },
  ))
    break
  expect(hasStopped).toBe(true)
})
