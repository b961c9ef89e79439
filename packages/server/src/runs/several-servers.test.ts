/** Servers on one store: what is done to a run in one of them holds in the others. */
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openedApis } from '../testing/opened-apis.ts'
import { longText, noter, servedModel } from '../testing/served.ts'

const apis = openedApis(beforeEach, afterEach)
const question = 'What is the key?'

it('a run that waits in one, was cancelled in another and is resumed where it waits, is read', async () => {
  let calls = 0
  const first = servedModel((call) =>
    ++calls === 1 ? new Promise<string>(() => undefined) : (noter as (of: typeof call) => string)(call),
  )
  const one = apis.open([first], { readings: 1 })
  const other = apis.open(undefined, { readings: 1 })
  const begin = async () => (await one.post('/api/runs', { question, text: longText(300) })).body.id as string
  const [reading, waiting] = [await begin(), await begin()]
  const cancelled = { state: 'unfinished', failure: { code: 'cancelled' } }
  expect((await other.post(`/api/runs/${waiting}/cancel`)).body).toMatchObject(cancelled)
  expect((await one.get(`/api/runs/${waiting}`)).body).toMatchObject(cancelled)
  expect((await one.post(`/api/runs/${waiting}/resume`)).body.state).toBe('waiting')
  await one.post(`/api/runs/${reading}/cancel`)
  expect(await one.ended(waiting)).toMatchObject({ state: 'finished', outcome: 'found' })
})
