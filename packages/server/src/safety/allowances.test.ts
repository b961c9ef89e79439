/** What a key allows, and no more. */
import { describe, expect, it } from 'vitest'
import { clientOf, hangingModel, longText, noter, servedModel } from '../testing/served.ts'
import { Allowances } from './allowances.ts'
import { hashOfKey } from './keys.ts'

const key = { name: 'team', hash: 'aa', limits: { requestsPerMinute: 3 } }

it('requests come back evenly within the minute', () => {
  let nowMs = 0
  const allowances = new Allowances(() => nowMs)
  const isAllowed = () => {
    try {
      allowances.countRequest(key)
      return true
    } catch (error) {
      expect(error).toMatchObject({ status: 429, retryAfterSeconds: expect.any(Number) })
      return false
    }
  }
  expect([isAllowed(), isAllowed(), isAllowed(), isAllowed()]).toEqual([true, true, true, false])
  nowMs += 20_000
  expect([isAllowed(), isAllowed()]).toEqual([true, false])
  nowMs += 3_600_000
  expect([isAllowed(), isAllowed(), isAllowed(), isAllowed()]).toEqual([true, true, true, false])
})

describe('a server', () => {
  const findKey = async (hash: string) =>
    [
      { name: 'few', hash: hashOfKey('few'), limits: { readings: 1, requestsPerMinute: 3 } },
      { name: 'many', hash: hashOfKey('many') },
    ].find((one) => one.hash === hash)
  const as = (name: string) => ({ host: 'localhost', authorization: `Bearer ${name}` })

  it('refuses a key that asks too often, says when to come again, and answers others', async () => {
    const { app } = clientOf([servedModel(noter)], { findKey })
    const ask = (name: string) => app.request('http://localhost/v1/models', { headers: as(name) })
    for (let i = 0; i < 3; i++) expect((await ask('few')).status).toBe(200)
    const refused = await ask('few')
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '20'])
    expect(await refused.json()).toMatchObject({ error: { code: 'server/too-many-requests' } })
    expect((await ask('many')).status).toBe(200)
  })

  it('reads no more at a time for a key than it allows', async () => {
    const { served, asked } = hangingModel()
    const { post } = clientOf([served], { findKey })
    const messages = [longText(2000), 'What is the key?'].map((content) => ({ role: 'user', content }))
    const read = (name: string) =>
      void post('/v1/chat/completions', { model: 'reader', messages }, as(name)).catch(() => undefined)
    read('few')
    read('few')
    await asked
    read('many')
    await expect.poll(() => served.model.calls.length).toBe(2)
  })
})
