import { afterEach, describe, expect, it, test } from 'vitest'
import { createStubServer, type StubServer } from '../testing/stub-server.ts'
import { call, failure, key, start, stop, user } from '../testing/stubbed-chat.ts'
import type { Fetch } from './http-exchange.ts'
import { createPatientFetch } from './patient-fetch.ts'
import { listServedModels } from './served-models.ts'

let elsewhere: StubServer | undefined
afterEach(async () => {
  await stop()
  await elsewhere?.close()
  elsewhere = undefined
})

describe.each<[string, Fetch | undefined]>([
  ['the global fetch', undefined],
  ['the patient fetch', createPatientFetch()],
])('over %s', (_, fetch) => {
  it.each([301, 302, 303, 307, 308])(
    'a redirect (%d) is not followed, and told with its target',
    async (status) => {
      elsewhere = await createStubServer()
      const location = `${elsewhere.baseUrl}/chat/completions?session=abc`
      const { model, stub, slept } = await start(
        { faults: () => ({ kind: 'redirect', status, location }) },
        { apiKey: key, fetch },
      )
      const error = await failure(model.generate(user('a'), call))
      expect(error).toMatchObject({
        code: 'chat/redirected',
        message: `The server at ${stub.baseUrl}/chat/completions redirects (${status}) to ${elsewhere.baseUrl}/chat/completions?...; nothing was sent there`,
        hint: expect.stringContaining(`as the base URL: ${elsewhere.baseUrl}.`),
        isRetryable: false,
      })
      expect(elsewhere.requests).toEqual([])
      expect(slept).toEqual([])
    },
  )
})

test('a redirect to another path of the same endpoint, or to nowhere', async () => {
  const { model } = await start({
    faults: [{ kind: 'redirect', location: '/v1/chat/completions/' }, { kind: 'redirect' }],
  })
  const slash = await failure(model.generate(user('a'), call))
  expect(slash.hint).toBe('Ask whoever runs the server for the address that answers without a redirect.')
  const nowhere = await failure(model.generate(user('a'), call))
  expect(nowhere.message).toMatch(/redirects \(307\) without saying where; nothing was sent there$/)
})

test('a redirect of the list of models is reported before anything is read', async () => {
  const fetch: Fetch = async () =>
    new Response(null, { status: 302, headers: { location: 'https://login.example/?next=x' } })
  const { model } = await start({}, { fetch })
  const told = { code: 'chat/redirected', message: expect.stringContaining('to https://login.example/?...') }
  await expect(model.describe!()).rejects.toMatchObject(told)
  await expect(listServedModels({ baseUrl: 'http://host/v1', fetch })).rejects.toMatchObject(told)
})
