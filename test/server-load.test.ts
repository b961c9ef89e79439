/** Many clients at once: no answer is lost, and none is given to another request. `npm run bench:server` asks for a minute. */

import { MemAgentError } from '@memagent/core'
import { createKey, hashOfKey, listen } from '@memagent/server'
import { expect, it } from 'vitest'
import { load, replyAtOnce } from '../bench/server-load/load.ts'
import { servedModel } from '../packages/server/src/testing/served.ts'

it('thirty clients get what each of them asked for, while others go away', async () => {
  const failures: unknown[] = []
  const keys = Array.from({ length: 3 }, createKey)
  const names = new Map(keys.map((key, i) => [hashOfKey(key), `team ${i}`]))
  const server = await listen({
    models: [servedModel(({ messages }) => replyAtOnce(messages))],
    port: 0,
    findKey: async (hash) => (names.has(hash) ? { name: names.get(hash)!, hash } : undefined),
    onFailure: (error) => failures.push(error),
  })
  const asked = { baseUrl: `${server.url}/v1`, model: 'reader', clients: 30, keys }
  const { answered, left, faults } = await load({ ...asked, isOver: (requests) => requests >= 120 })
  await server.stop()
  expect(faults).toEqual([])
  // Only from clients that left at the end.
  expect(failures).toEqual(failures.filter((error) => isStopping(error)))
  for (const kind of ['short', 'short stream', 'reading', 'reading stream']) {
    expect([kind, answered[kind]]).toEqual([kind, expect.any(Number)])
  }
  expect(left).toBeGreaterThan(0)
})

const isStopping = (error: unknown) => MemAgentError.isInstance(error) && error.code === 'server/stopping'
