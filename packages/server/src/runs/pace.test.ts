import { expect, it } from 'vitest'
import { Pace } from './pace.ts'

it('tells the time left by what the model read, not by what came from the cache', () => {
  let now = 0
  const pace = new Pace(1000, 100, () => now)
  expect([pace.secondsLeft, pace.chunksPerSecond]).toEqual([undefined, undefined])
  for (let i = 0; i < 40; i++) pace.addCached(10)
  now = 2000
  expect([pace.bytes, pace.secondsLeft]).toEqual([500, undefined])
  pace.add(100)
  expect([pace.bytes, pace.secondsLeft, pace.chunksPerSecond]).toEqual([600, 8, 0.5])
})
