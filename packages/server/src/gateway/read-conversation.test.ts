/** What a store adds to readings: they continue where they stopped. */

import { ChatError } from '@memagent/core'
import { temporaryFolder } from '@memagent/core/testing'
import { openRunStore, type Store } from '@memagent/store'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { hashOfKey } from '../safety/keys.ts'
import { apiOf, clientOf, longText, noter, servedModel } from '../testing/served.ts'

const folder = temporaryFolder(beforeEach, afterEach)
let store: Store
beforeEach(async () => {
  store = await openRunStore(`${folder.path}/runs.sqlite`)
})
afterEach(() => store.close())

const path = '/v1/chat/completions'
const request = {
  model: 'reader',
  messages: [
    { role: 'user', content: longText(2000) },
    { role: 'user', content: 'What is the key?' },
  ],
}

/** Like `noter`, except that the call with this number fails or waits. */
const noterUntil = (stop: number, atStop: () => Promise<never>) => {
  let calls = 0
  return (call: Parameters<Extract<typeof noter, (call: never) => unknown>>[0]) =>
    ++calls === stop ? atStop() : (noter as (of: typeof call) => string)(call)
}

describe('a reading that was stopped', () => {
  it('is continued by the same request, and pays for nothing twice', async () => {
    const whole = servedModel(noter)
    await clientOf([whole]).post(path, request)
    const controller = new AbortController()
    const stopped = servedModel(
      noterUntil(8, () => {
        controller.abort(new Error('gone'))
        return new Promise<never>(() => undefined)
      }),
    )
    await clientOf([stopped], { store, signal: controller.signal }).post(path, request)
    expect(await store.list()).toMatchObject([
      { state: 'unfinished', steps: 7, failure: { code: 'interrupted' } },
    ])
    const after = servedModel(noter)
    const { body } = await clientOf([after], { store }).post(path, request)
    expect(body.choices[0].message.content).toBe('48213')
    expect(after.model.calls.length).toBe(whole.model.calls.length - 7)
    expect(await store.list()).toMatchObject([{ state: 'finished', outcome: 'found' }])
  })

  it('by a limit too small for its answer is a 400, and pays only for the answer when the limit is higher', async () => {
    const served = servedModel((call) => {
      const text = (noter as (of: typeof call) => string)(call)
      const most = call.options.maxTokens
      if (!text.includes('boxed') || most > 9) return text
      return { text: text.slice(0, most), finishReason: { unified: 'length', raw: 'length' } }
    })
    const asked = (max_tokens: number) => clientOf([served], { store }).post(path, { ...request, max_tokens })
    const { status, body } = await asked(5)
    expect([status, body.error]).toMatchObject([
      400,
      { code: 'chat/answer-cut', message: expect.stringContaining('5 tokens that were asked for') },
    ])
    const before = served.model.calls.length
    const more = await asked(20)
    expect(more.body.choices[0].message.content).toBe('48213')
    expect(served.model.calls.length).toBe(before + 1)
  })

  it('by a limit of the operator is a 403, and continues once that is higher', async () => {
    const limited = (maxCalls: number) => ({ ...servedModel(noter), reading: { limits: { maxCalls } } })
    const few = limited(3)
    const { status, body } = await clientOf([few], { store }).post(path, request)
    expect([status, body.error.code, few.model.calls.length]).toEqual([403, 'reading/limit-calls', 3])
    const more = limited(1000)
    const answered = await clientOf([more], { store }).post(path, request)
    expect(answered.body.choices[0].message.content).toBe('48213')
    expect(more.model.calls.length).toBeGreaterThan(0)
  })

  it('says why it stopped', async () => {
    const failing = servedModel(noterUntil(3, () => Promise.reject(new Error('no such luck'))))
    const { status } = await clientOf([failing], { store }).post(path, request)
    expect(status).toBe(502)
    expect(await store.list()).toMatchObject([
      { state: 'unfinished', failure: { message: expect.any(String) } },
    ])
  })
})

it('a failure tells and keeps no key that is in the address of the model', async () => {
  const message = 'The server at http://gpu:8000/tok-1234/v1/chat/completions refused the key (401).'
  const refusal = new ChatError({ code: 'chat/refused-key', message, hint: 'Check MEMAGENT_API_KEY.' })
  const failing = servedModel(noterUntil(3, () => Promise.reject(refusal)))
  const { status, body } = await clientOf([failing], { store }).post(path, request)
  const told = JSON.stringify([body, await store.list()])
  expect([status, told.match(/tok-1234|API_KEY/g)]).toEqual([502, null])
  expect(told.split('http://gpu:8000/... refused the key')).toHaveLength(3)
})

it.each([
  ['/v1/chat/completions', request],
  ['/v1/responses', { model: 'reader', input: request.messages }],
])('%s keeps nothing where the client says so', async (route, body) => {
  const client = clientOf([servedModel(noter)], { store })
  expect((await client.post(route, { ...body, store: false })).status).toBe(200)
  expect(await store.list()).toEqual([])
  await client.post(route, body)
  expect(await store.list()).toHaveLength(1)
})

describe('a conversation that was read before', () => {
  const cheap = { ...request, temperature: 0 }
  const cached = () => {
    const served = servedModel(noter)
    const model = Object.assign(served.model, { identity: async () => 'scripted, first version' })
    return { ...served, model, reading: { usesCache: true } }
  }
  const asked = async (served: ReturnType<typeof cached>, key?: string, more = {}) => {
    const findKey =
      key === undefined ? undefined : async (hash: string) => ({ name: key, hash, createdMs: 0 })
    const client = clientOf([served], { store, findKey })
    const before = served.model.calls.length
    const { body } = await client.post(
      path,
      { ...cheap, ...more },
      key ? { authorization: `Bearer ${key}` } : {},
    )
    expect(body.choices[0].message.content).toBe('48213')
    return { calls: served.model.calls.length - before, ...body.memagent, usage: body.usage }
  }

  it('costs nothing again, and says so', async () => {
    const served = cached()
    const first = await asked(served)
    expect(first.from_cache).toBeUndefined()
    const again = await asked(served)
    expect(again).toMatchObject({ calls: 0, from_cache: { calls: first.calls }, outcome: 'found' })
    expect(again.usage).toMatchObject({ prompt_tokens: 0, completion_tokens: 0 })
  })

  it('costs as much as ever where the client wants nothing kept, samples, or is another', async () => {
    const served = cached()
    const { calls } = await asked(served, 'mine')
    expect((await asked(served, 'mine')).calls).toBe(0)
    for (const [key, more] of [
      ['mine', { store: false }],
      ['mine', { temperature: 1 }],
      ['other', {}],
    ] as const) {
      expect(await asked(served, key, more)).toMatchObject({ calls })
    }
  })
})

it('two clients that ask the same at the same time are both answered', async () => {
  const served = servedModel(noter)
  const client = clientOf([served], { store })
  const replies = await Promise.all([client.post(path, request), client.post(path, request)])
  expect(replies.map(({ body }) => body.choices[0].message.content)).toEqual(['48213', '48213'])
})

describe('where there are keys', () => {
  const clientWith = (key: string, served = servedModel(noter), signal?: AbortSignal) =>
    apiOf(
      [served],
      {
        store,
        uploads: `${folder.path}/uploads`,
        signal,
        findKey: async (hash: string) => ({ name: names.get(hash)!, hash }),
      },
      { authorization: `Bearer ${key}` },
    )
  const names = new Map(['ann', 'bob'].map((name) => [hashOfKey(name), name]))

  it('each goes on with its own reading alone, and finds, erases and does not resume it', async () => {
    const controller = new AbortController()
    const stopped = servedModel(
      noterUntil(8, () => {
        controller.abort(new Error('gone'))
        return new Promise<never>(() => undefined)
      }),
    )
    await clientWith('ann', stopped, controller.signal).post(path, request)
    const [before] = await store.list()
    const [ann, bob] = ['ann', 'bob'].map((key) => clientWith(key))
    const runsOf = async (client = ann!) => (await client.get('/api/runs')).body.runs
    expect(await runsOf()).toMatchObject([{ id: before!.id, state: 'unfinished', steps: 7 }])
    expect(await runsOf(bob)).toEqual([])
    expect((await bob!.post(`/api/runs/${before!.id}/resume`)).status).toBe(404)
    const { status, body } = await ann!.post(`/api/runs/${before!.id}/resume`)
    expect([status, body.error]).toMatchObject([
      409,
      { code: 'server/run-of-a-request', hint: expect.stringContaining(path) },
    ])

    const all = servedModel(noter)
    const whole = await clientWith('bob', all).post(path, request)
    const rest = servedModel(noter)
    const continued = await clientWith('ann', rest).post(path, request)
    expect(rest.model.calls.length).toBe(all.model.calls.length - 7)
    expect(continued.body.usage).toEqual(whole.body.usage)
    expect(await store.load(before!.id)).toMatchObject({ state: 'finished' })
    expect(await runsOf()).toMatchObject([{ id: before!.id, state: 'finished' }])
    const [theirs, ...more] = await runsOf(bob)
    expect(more).toEqual([])
    expect(theirs.id).not.toBe(before!.id)
    expect((await bob!.delete(`/api/runs/${before!.id}`)).status).toBe(404)
    expect((await ann!.delete(`/api/runs/${before!.id}`)).status).toBe(204)
    expect((await store.list()).map(({ id }) => id)).toEqual([theirs.id])
  })
})
