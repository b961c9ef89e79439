import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { type FutureRequest, type PollingOptions, retrieveFuture } from './futures.ts'
import { type ScriptedReply, scriptedTransport } from './testing/scripted-fetch.ts'

const schema = z.looseObject({ value: z.number() })
const result: ScriptedReply = { body: { value: 7 } }

function poll(
  replies: readonly (ScriptedReply | Error)[],
  changes: Partial<FutureRequest<z.infer<typeof schema>>> & Partial<PollingOptions> = {},
) {
  const scripted = scriptedTransport(replies)
  const notices: string[] = []
  let resubmissions = 0
  const {
    pollTimeoutMs = 45_000,
    futureRead = 'repeatable',
    billingPatienceMs,
    patienceMs,
    ...request
  } = changes
  const promise = retrieveFuture(
    {
      requestId: 'f1',
      what: 'forward',
      schema,
      resubmit: async () => `again-${++resubmissions}`,
      ...request,
    },
    {
      transport: scripted.transport,
      pollTimeoutMs,
      futureRead,
      onNotice: (message) => notices.push(message),
      billingPatienceMs,
      patienceMs,
    },
  )
  const bodies = () => scripted.calls.map(({ body }) => JSON.parse(String(body)))
  return { promise, notices, bodies, ...scripted }
}

describe('retrieveFuture', () => {
  it('returns the result, and numbers the polls of a request', async () => {
    const { promise, calls, bodies } = poll([{ status: 408 }, result])
    expect(await promise).toEqual({ value: 7 })
    expect(bodies()).toEqual(Array(2).fill({ request_id: 'f1', allow_metadata_only: true }))
    expect(calls[1]!.url).toBe('http://test/api/v1/retrieve_future')
    expect(calls[1]!.headers.get('x-tinker-request-iteration')).toBe('1')
    expect(calls[1]!.headers.get('x-tinker-request-type')).toBe('forward')
    expect(calls[1]!.headers.get('x-api-key')).toBe('tml-key')
  })

  it('polls again at once on try_again and 408, and reports a paused queue once', async () => {
    const paused = { type: 'try_again', queue_state: 'paused_capacity', queue_state_reason: 'busy' }
    const { promise, pauses, notices } = poll([
      { body: { type: 'try_again', queue_state: 'active' } },
      { body: paused },
      { body: paused },
      { status: 408, body: { queue_state: 'active' } },
      result,
    ])
    expect(await promise).toEqual({ value: 7 })
    expect(pauses).toEqual([])
    expect(notices).toEqual(['The server lets forward wait: paused_capacity (busy).'])
  })

  it('polls again on server errors, but does not hammer a server that keeps failing', async () => {
    const { promise, pauses } = poll([
      { status: 503, body: 'gone' },
      { status: 500 },
      { status: 502 },
      result,
    ])
    expect(await promise).toEqual({ value: 7 })
    expect(pauses).toEqual([1000, 1000])
  })

  it('backs off on 429 and broken connections, up to 30 seconds', async () => {
    const broken = new TypeError('fetch failed')
    const { promise, pauses } = poll([
      { status: 429 },
      broken,
      broken,
      broken,
      broken,
      broken,
      broken,
      result,
    ])
    expect(await promise).toEqual({ value: 7 })
    expect(pauses).toEqual([1000, 2000, 4000, 8000, 16_000, 30_000, 30_000])
  })

  it('gives up on a server that is unreachable for too long', async () => {
    const { promise, pauses } = poll([new TypeError('fetch failed')], { patienceMs: 100_000 })
    await expect(promise).rejects.toMatchObject({ code: 'tinker/connection' })
    expect(pauses.length).toBe(8)
  })

  it("fails after three 400s with the server's message", async () => {
    const { promise, calls } = poll([{ status: 400, body: { detail: 'too long' } }])
    await expect(promise).rejects.toMatchObject({
      name: 'TinkerRequestError',
      message: 'The server failed at forward: too long',
    })
    expect(calls.length).toBe(3)
    expect(await poll([{ status: 400 }, { status: 400 }, result]).promise).toEqual({ value: 7 })
  })

  it('waits five seconds at a time for an unpaid bill, but not forever', async () => {
    const unpaid = { status: 402, body: { detail: 'no balance' } }
    const paid = poll([unpaid, unpaid, result])
    expect(await paid.promise).toEqual({ value: 7 })
    expect(paid.pauses).toEqual([5000, 5000])
    expect(paid.notices[0]).toContain('no balance')
    await expect(poll([unpaid], { billingPatienceMs: 20_000 }).promise).rejects.toMatchObject({
      code: 'tinker/status-402',
    })
  })

  it('submits again when the future is gone, and polls the new one', async () => {
    const { promise, bodies } = poll([{ status: 410 }, result])
    expect(await promise).toEqual({ value: 7 })
    expect(bodies().map(({ request_id }) => request_id)).toEqual(['f1', 'again-1'])
    await expect(poll([{ status: 410 }]).promise).rejects.toMatchObject({ code: 'tinker/status-410' })
  })

  it('requests the payload after receiving the metadata', async () => {
    const { promise, bodies } = poll([
      { body: { status: 'complete_metadata', request_id: 'f1', response_payload_size: 9 } },
      result,
    ])
    expect(await promise).toEqual({ value: 7 })
    expect(bodies().map(({ allow_metadata_only }) => allow_metadata_only)).toEqual([true, false])
  })

  it.each([
    ['user', false],
    ['server', true],
    ['unknown', true],
  ])('fails with an error of the category %s', async (category, isRetryable) => {
    const { promise, calls } = poll([{ body: { error: 'broke', category } }])
    await expect(promise).rejects.toMatchObject({
      name: 'TinkerRequestError',
      details: { what: 'forward', category },
      isRetryable,
    })
    expect(calls.length).toBe(1)
  })

  it.each([401, 403, 404, 422])('fails at once on %s', async (status) => {
    const { promise, calls } = poll([{ status, body: { detail: 'no' } }])
    await expect(promise).rejects.toMatchObject({
      name: 'TinkerHttpError',
      details: { status, detail: 'no' },
    })
    expect(calls.length).toBe(1)
  })

  it('tells a result that was already read from a failure, on servers that give it once', async () => {
    const read = [{ body: { error: 'future id result already retrieved' } }]
    await expect(poll(read, { futureRead: 'once' }).promise).rejects.toMatchObject({
      code: 'tinker/result-lost',
    })
    await expect(poll(read).promise).rejects.toMatchObject({ code: 'tinker/request-failed' })
  })

  it('refuses an answer of another form, naming the field', async () => {
    await expect(poll([{ body: { value: 'x' } }]).promise).rejects.toMatchObject({
      name: 'TinkerProtocolError',
      message: expect.stringContaining('value'),
    })
    await expect(poll([{ body: '<html>' }]).promise).rejects.toMatchObject({ code: 'tinker/protocol' })
  })

  it('asks for protobuf where it can read it, and accepts JSON too', async () => {
    const decode = (bytes: Uint8Array) => ({ value: bytes[0] })
    const binary = poll([{ body: Uint8Array.of(9) }], { decode })
    expect(await binary.promise).toEqual({ value: 9 })
    expect(binary.calls[0]!.headers.get('accept')).toContain('application/x-protobuf')
    expect(await poll([result], { decode }).promise).toEqual({ value: 7 })
    const unasked = poll([{ body: Uint8Array.of(9) }])
    await expect(unasked.promise).rejects.toMatchObject({ code: 'tinker/protocol' })
  })

  it('never polls twice at once, and ends with the reason of an abort', async () => {
    const { promise, peak } = poll([{ status: 408 }, new TypeError('x'), { status: 503 }, result], {
      futureRead: 'once',
    })
    await promise
    expect(peak.open).toBe(1)
    const controller = new AbortController()
    const endless = poll([{ status: 408 }], { signal: controller.signal })
    setTimeout(() => controller.abort(new Error('enough')), 5)
    await expect(endless.promise).rejects.toThrow('enough')
  })
})
