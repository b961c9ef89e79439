import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { type ScriptedReply, scriptedTransport } from './testing/scripted-fetch.ts'
import { jsonBody } from './transport.ts'

const schema = z.looseObject({ request_id: z.string() })
const taken: ScriptedReply = { body: { request_id: '1' } }
const post = (replies: readonly (ScriptedReply | Error)[], options = {}, patienceMs?: number) => {
  const scripted = scriptedTransport(replies, patienceMs)
  const promise = scripted.transport.post('/api/v1/x', jsonBody({ seq_id: 1 }), schema, options)
  promise.catch(() => undefined)
  return { promise, ...scripted }
}

describe('post', () => {
  it.each([408, 425, 429, 500, 503])('sends the same bytes again on %s', async (status) => {
    const { promise, calls, pauses } = post([{ status }, { status }, taken])
    expect((await promise).request_id).toBe('1')
    expect(new Set(calls.map(({ body }) => body)).size).toBe(1)
    expect(pauses).toEqual([500, 1000])
  })

  it('sends again when the connection breaks, with growing pauses up to its limit', async () => {
    const cause = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
    const { promise, pauses } = post([new TypeError('fetch failed', { cause })])
    await expect(promise).rejects.toMatchObject({
      code: 'tinker/connection',
      message: expect.stringContaining('ECONNREFUSED'),
    })
    expect(pauses.slice(0, 6)).toEqual([500, 1000, 2000, 4000, 8000, 10_000])
    expect(pauses.at(-1)).toBe(30_000)
    expect(pauses.reduce((sum, ms) => sum + ms, 0)).toBeLessThanOrEqual(300_000)
  })

  it.each([400, 401, 402, 403, 404, 409, 410, 422])('fails at once on %s', async (status) => {
    const { promise, calls } = post([{ status, body: { detail: 'no' } }])
    await expect(promise).rejects.toMatchObject({ code: `tinker/status-${status}`, isRetryable: false })
    expect(calls.length).toBe(1)
  })

  it('repeats a conflict only if the caller allows it, whatever the server says', async () => {
    const conflict = { status: 409, headers: { 'x-should-retry': 'true' } }
    await expect(post([conflict, taken]).promise).rejects.toMatchObject({ code: 'tinker/status-409' })
    expect((await post([{ status: 409 }, taken], { retriesConflicts: true }).promise).request_id).toBe('1')
  })

  it('heeds x-should-retry', async () => {
    const never = { status: 503, headers: { 'x-should-retry': 'false' } }
    await expect(post([never, taken]).promise).rejects.toMatchObject({ code: 'tinker/status-503' })
    const always = { status: 400, headers: { 'x-should-retry': 'true' } }
    expect((await post([always, taken]).promise).request_id).toBe('1')
  })

  it('waits as long as the server asks, up to a minute', async () => {
    const asked = (headers: Record<string, string>) => post([{ status: 429, headers }, taken])
    for (const [headers, ms] of [
      [{ 'retry-after-ms': '1234' }, 1234],
      [{ 'retry-after': '7' }, 7000],
      [{ 'retry-after': 'Thu, 01 Jan 1970 00:00:20 GMT' }, 20_000],
      [{ 'retry-after': '3600' }, 500],
      [{ 'retry-after': 'soon' }, 500],
    ] as const) {
      const { promise, pauses } = asked(headers)
      await promise
      expect(pauses).toEqual([ms])
    }
  })

  it.each([
    [{ detail: 'as a text' }, 'as a text'],
    [{ detail: [{ loc: ['body', 'tags'], msg: 'Field required' }] }, 'body.tags: Field required'],
    [{ detail: ['odd'] }, '"odd"'],
    [{ error: 'other' }, 'other'],
    ['Bad Gateway', 'Bad Gateway'],
    ['', 'no explanation'],
    [[1], '[1]'],
  ])('reads what was wrong from %j', async (body, detail) => {
    const { promise } = post([{ status: 422, body }])
    await expect(promise).rejects.toMatchObject({ details: { path: '/api/v1/x', status: 422, detail } })
  })

  it('does not follow a redirect, and reports its target', async () => {
    const headers = { location: 'https://elsewhere/login?next=secret' }
    const { promise, calls } = post([{ status: 307, headers }])
    await expect(promise).rejects.toMatchObject({
      code: 'tinker/status-307',
      hint: expect.stringMatching(
        /^It redirects to https:\/\/elsewhere\/login\?\.\.\., which was not followed\./,
      ),
      isRetryable: false,
    })
    expect(calls).toHaveLength(1)
    expect(calls[0]).toMatchObject({ redirect: 'manual' })
  })

  it('never shows the key, even if a server or a fetch error repeats it', async () => {
    const echo = post([{ status: 400, body: { detail: 'x-api-key was tml-key', also: 'tml-key' } }])
    const broken = new TypeError('with tml-key', { cause: new Error('tml-key at http://test/?x=tml-key') })
    for (const { promise } of [echo, post([broken])]) {
      const error = await promise.catch((reason) => reason)
      const { message, hint, details, stack, cause } = error
      const told = `${message} ${hint} ${JSON.stringify(details)} ${stack} ${inspect(cause, { depth: 9 })}`
      expect(told).not.toContain('tml-key')
      expect(told).toContain('[key]')
    }
  })

  it('names the field of an answer that violates the protocol', async () => {
    await expect(post([{ body: { request_id: null } }]).promise).rejects.toMatchObject({
      code: 'tinker/protocol',
      message: expect.stringContaining('request_id'),
    })
  })

  it('ends with the reason of an abort, while it waits', async () => {
    const controller = new AbortController()
    const { promise } = post([{ status: 503 }], { signal: controller.signal })
    setTimeout(() => controller.abort(new Error('enough')), 3)
    await expect(promise).rejects.toThrow('enough')
  })
})
