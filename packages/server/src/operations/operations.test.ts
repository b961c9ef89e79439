/** What operators of a server are told. */
import { temporaryFolder } from '@memagent/core/testing'
import { openRunStore, type Store } from '@memagent/store'
import { SpanStatusCode } from '@opentelemetry/api'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { listen } from '../listen.ts'
import { hashOfKey } from '../safety/keys.ts'
import { apiOf, longText, noter, servedModel } from '../testing/served.ts'
import { loadTracing } from './load-tracing.ts'
import type { RequestLine } from './operations.ts'
import { recordSpans } from './testing/recorded-spans.ts'
import { noTracing } from './tracing.ts'

const folder = temporaryFolder(beforeAll, afterAll)
let store: Store
beforeAll(async () => {
  store = await openRunStore(folder.join('runs.sqlite'))
})
afterAll(() => store.close())

const question = 'What is the key?'
const messages = (text: string) => [text, question].map((content) => ({ role: 'user', content }))
const short = { model: 'reader', messages: messages('The key is 1.') }
const long = { model: 'reader', messages: messages(longText(1000)) }

/** Samples by name and labels; fails on a malformed line. */
function samplesOf(text: string): Readonly<Record<string, number>> {
  const samples: Record<string, number> = {}
  for (const line of text.trimEnd().split('\n')) {
    if (/^# (HELP|TYPE) [a-z_]+ \S/.test(line)) continue
    const [, name, value] = /^([a-z_]+(?:\{(?:[a-z]+="(?:[^"\\\n]|\\.)*",?)*\})?) (\S+)$/.exec(line) ?? []
    expect([line, Number.isFinite(Number(value))]).toEqual([line, true])
    samples[name!] = Number(value)
  }
  return samples
}

describe('metrics', () => {
  it('count requests, readings, chunks, calls and tokens', async () => {
    const { post, get } = apiOf([servedModel(noter)], { store, uploads: folder.join('uploads') })
    await post('/v1/chat/completions', short)
    await post('/v1/chat/completions', long)
    await get('/v1/models/none')
    await get('/secret-in-a-path')
    await get('/healthz')
    const { body, headers } = await get('/metrics')
    expect(headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/)
    const samples = samplesOf(body)
    expect(samples).toMatchObject({
      'memagent_requests_total{method="POST",route="/v1/chat/completions",status="200"}': 2,
      'memagent_requests_total{method="GET",route="/v1/models/:id{.+}",status="404"}': 1,
      'memagent_requests_total{method="GET",route="none",status="404"}': 1,
      'memagent_requests_total{method="GET",route="/healthz",status="200"}': 1,
      'memagent_request_duration_seconds_count{route="/v1/chat/completions"}': 2,
      'memagent_request_duration_seconds_bucket{route="/v1/chat/completions",le="+Inf"}': 2,
      memagent_readings_running: 0,
      memagent_readings_waiting: 0,
    })
    expect(samples.memagent_chunks_total).toBeGreaterThan(3)
    const calls = samples['memagent_model_calls_total{model="reader"}']!
    expect(calls).toBeGreaterThan(samples.memagent_chunks_total!)
    expect(samples['memagent_model_call_duration_seconds_count{model="reader"}']).toBe(calls)
    expect(samples['memagent_tokens_total{model="reader",type="prompt"}']).toBeGreaterThan(100)
    expect(samples.process_resident_memory_bytes).toBeGreaterThan(1e6)
    expect(body).not.toMatch(/secret|48213|key is/)
  })

  it('count failed calls by their code', async () => {
    const failing = servedModel(() => {
      throw new Error('The key is 48213.')
    })
    const { post, get } = apiOf([failing])
    expect((await post('/v1/chat/completions', short)).status).toBe(500)
    expect(samplesOf((await get('/metrics')).body)).toMatchObject({
      'memagent_model_call_failures_total{model="reader",code="unexpected"}': 1,
    })
  })
})

describe('a line for every request', () => {
  it('says who asked, for which run, and nothing of texts', async () => {
    const lines: RequestLine[] = []
    const findKey = async (hash: string) =>
      hash === hashOfKey('secret-key') ? { name: 'team', hash } : undefined
    const options = {
      store,
      uploads: folder.join('uploads'),
      findKey,
      onRequest: (line: RequestLine) => lines.push(line),
    }
    const { post, get, ended } = apiOf([servedModel(noter)], options, { authorization: 'Bearer secret-key' })
    await post('/v1/chat/completions', long)
    const { body: run } = await post('/api/runs', { question, text: longText(500) })
    await ended(run.id)
    await get('/v1/models', { authorization: 'Bearer wrong' })
    const [chat, begun, followed, found, refused] = lines
    expect(chat).toEqual({
      ...{ method: 'POST', route: '/v1/chat/completions', status: 200, client: 'team' },
      ...{ ms: expect.any(Number), run: expect.stringMatching(/^[0-9a-f]+$/) },
    })
    expect(await store.load(chat!.run!)).toMatchObject({ question })
    expect([begun, followed, found].map((line) => line!.run)).toEqual([run.id, run.id, run.id])
    expect(followed!.route).toBe('/api/runs/:id/events')
    expect(refused).toMatchObject({ route: '/v1/models', status: 401, client: undefined })
    expect(JSON.stringify(lines)).not.toMatch(/48213|What is|secret-key|wrong/)
  })

  it('that fails to be written is a failure of its own: the server goes on', async () => {
    const failures: unknown[] = []
    const full = new Error('the disk of the log is full')
    const server = await listen({
      models: [servedModel(noter)],
      port: 0,
      onRequest: () => {
        throw full
      },
      onFailure: (error) => failures.push(error),
    })
    for (const _ of [1, 2]) expect((await fetch(`${server.url}/v1/models`)).status).toBe(200)
    await server.stop()
    expect(failures).toEqual([full, full])
  })

  it.each([true, false])(
    'comes when it has ended, also where the client went away (stream: %s)',
    async (stream) => {
      const lines: RequestLine[] = []
      let isAsked: () => void = () => undefined
      const asked = new Promise<void>((resolve) => {
        isAsked = resolve
      })
      const hanging = servedModel(({ options }) => {
        isAsked()
        return new Promise((_, reject) =>
          options.signal!.addEventListener('abort', () => reject(options.signal!.reason)),
        )
      })
      const server = await listen({ models: [hanging], port: 0, onRequest: (line) => lines.push(line) })
      const leaving = new AbortController()
      const reply = fetch(`${server.url}/v1/chat/completions`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ ...long, stream }),
        signal: leaving.signal,
      })
      await asked
      expect([stream && (await reply).status, lines]).toEqual([stream && 200, []])
      leaving.abort()
      await reply.catch(() => undefined)
      await expect.poll(() => lines).toMatchObject([{ route: '/v1/chat/completions', status: 499 }])
      await server.stop()
    },
  )
})

describe('spans', () => {
  let spans: ReturnType<typeof recordSpans>
  beforeEach(() => {
    spans = recordSpans()
  })
  afterEach(() => spans.stop())

  it('are of the request, the reading in it and its calls, with numbers and no texts', async () => {
    const { post } = apiOf([servedModel(noter)], { tracing: await loadTracing() })
    await post('/v1/chat/completions', long)
    const { ended } = spans
    const request = ended.find(({ name }) => name === 'POST /v1/chat/completions')!
    const reading = ended.find(({ name }) => name === 'read')!
    const calls = ended.filter(({ name }) => name === 'chat reader')
    expect(request.attributes).toMatchObject({
      'http.route': '/v1/chat/completions',
      'http.response.status_code': 200,
    })
    expect(reading.parent).toBe(request.id)
    expect(reading.attributes).toMatchObject({
      'memagent.workflow': 'overwrite',
      'memagent.outcome': 'found',
    })
    expect(calls.length).toBeGreaterThan(3)
    for (const { parent, attributes } of calls) {
      expect(parent).toBe(reading.id)
      expect(attributes).toMatchObject({
        'gen_ai.operation.name': 'chat',
        'gen_ai.provider.name': 'scripted',
        'gen_ai.request.model': 'reader',
        'gen_ai.request.max_tokens': expect.any(Number),
        'gen_ai.usage.input_tokens': expect.any(Number),
        'gen_ai.usage.output_tokens': expect.any(Number),
        'gen_ai.response.finish_reasons': ['stop'],
      })
    }
    expect(JSON.stringify(ended)).not.toMatch(/48213|What is|calm/)
  })

  it('of what fails have the code, and not the message', async () => {
    const failing = servedModel(() => {
      throw new Error('The key is 48213.')
    })
    const { post } = apiOf([failing], { tracing: await loadTracing() })
    expect((await post('/v1/chat/completions', long)).status).toBe(502)
    const { ended } = spans
    const codes = Object.fromEntries(ended.map(({ name, attributes }) => [name, attributes['error.type']]))
    expect(codes).toEqual({
      'chat reader': 'unexpected',
      read: 'chat/failed',
      'POST /v1/chat/completions': '502',
    })
    for (const { status } of ended) expect(status).toEqual({ code: SpanStatusCode.ERROR })
    expect(JSON.stringify(ended)).not.toContain('48213')
  })

  it('are none where the package is not installed', async () => {
    expect(await loadTracing(() => Promise.reject(new Error('ERR_MODULE_NOT_FOUND')))).toBe(noTracing)
  })
})
