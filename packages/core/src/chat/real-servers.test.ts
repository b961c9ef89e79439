/** Replies of real servers other than plain answers, in their own words. */
import { afterEach, describe, expect, it, test } from 'vitest'
import { call, failure, start, stop, user } from '../testing/stubbed-chat.ts'

afterEach(stop)

const answer = (content: string, more: object = {}) => ({
  choices: [{ message: { content }, finish_reason: 'stop', ...more }],
})
/** Replies in turn; the last one repeats. */
const replying = (...replies: readonly [status: number, body: object][]) => {
  const sent: Record<string, unknown>[] = []
  const fetch = async (_: unknown, init?: RequestInit) => {
    const [status, body] = replies[Math.min(sent.length, replies.length - 1)]!
    sent.push(JSON.parse(String(init!.body)))
    return Response.json(body, { status })
  }
  return { sent, fetch: fetch as typeof globalThis.fetch }
}

describe('a response that the server broke off', () => {
  it.each([
    ['OpenRouter', { finish_reason: 'error', error: { code: 502, message: 'Upstream error' } }],
    ['DeepSeek', { finish_reason: 'insufficient_system_resource' }],
    ['vLLM', { finish_reason: 'abort' }],
  ])('%s: is asked for again', async (_, more) => {
    const { fetch, sent } = replying([200, answer('- The lighthouse was bu', more)], [200, answer('whole')])
    const { model, slept } = await start({}, { fetch })
    expect((await model.generate(user('a'), call)).text).toBe('whole')
    expect([sent.length, slept.length]).toEqual([2, 1])
  })

  it('is an error in the end, and no response', async () => {
    const { fetch } = replying([200, answer('- The lighthouse was bu', { finish_reason: 'error' })])
    const { model } = await start({}, { fetch, retry: { attempts: 2 } })
    expect(await failure(model.generate(user('a'), call))).toMatchObject({
      code: 'chat/server-fault',
      message: expect.stringContaining('finish_reason: error'),
    })
  })
})

it.each([
  ['Gemini', 'content_filter: RECITATION', 'refusal'],
  ['Gemini behind a gateway', 'SAFETY', 'refusal'],
  ['Gemini behind a gateway', 'MAX_TOKENS', 'length'],
  ['Gemini behind a gateway', 'STOP', 'stop'],
  ['Cohere', 'COMPLETE', 'stop'],
  ['one that says nothing', null, 'other'],
  ['one with words of its own', 'constructor', 'other'],
])('a response that ended by the words of %s, %s, is %s', async (_, finish_reason, unified) => {
  const { fetch } = replying([200, answer('The', { finish_reason })])
  const { model } = await start({}, { fetch })
  expect((await model.generate(user('a'), call)).finishReason).toEqual({
    unified,
    raw: finish_reason ?? undefined,
  })
})

describe('a call that the server ended as a model would', () => {
  it.each([
    [
      'Azure',
      400,
      'refusal',
      { code: 'content_filter', param: 'prompt', message: 'The response was filtered' },
    ],
    ['DeepSeek', 400, 'refusal', { code: 'invalid_request_error', message: 'Content Exists Risk' }],
    ['DashScope', 400, 'refusal', { code: 'data_inspection_failed', message: 'Input data may contain' }],
    [
      'OpenRouter',
      403,
      'refusal',
      { code: 403, message: 'x requires moderation. Your input was flagged for "y".' },
    ],
    [
      'OpenAI',
      400,
      'length',
      {
        message:
          'Could not finish the message because max_tokens or model output limit was reached. Please try again with higher max_tokens.',
      },
    ],
  ])('%s: %i has a result, and is not sent again', async (_, status, unified, error) => {
    const { fetch, sent } = replying([status, { error }])
    const { model } = await start({}, { fetch })
    expect(await model.generate(user('a'), call)).toMatchObject({ text: '', finishReason: { unified } })
    expect(sent).toHaveLength(1)
  })

  it('a refused key is still one', async () => {
    const { fetch } = replying([403, { error: { message: 'Your key may not use this model.' } }])
    const { model } = await start({}, { fetch })
    expect(await failure(model.generate(user('a'), call))).toMatchObject({ code: 'chat/key-refused' })
  })
})

describe('what a server does not take', () => {
  it('of calls under way at once, each is sent again with the other field', async () => {
    const message =
      "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead."
    const { model, stub } = await start({
      delayMs: 5,
      faults: ({ body }) => ('max_tokens' in body ? { kind: 'status', status: 400, message } : undefined),
    })
    const results = await Promise.all(['a', 'b', 'c', 'd'].map((text) => model.generate(user(text), call)))
    expect(results.map(({ text }) => text)).toEqual(['a', 'b', 'c', 'd'])
    expect(stub.calls).toHaveLength(8)
  })

  it.each([
    [
      'Gemini',
      400,
      { error: { message: 'Invalid JSON payload received. Unknown name "seed": Cannot find field.' } },
    ],
    ['Mistral', 422, { detail: [{ type: 'extra_forbidden', loc: ['body', 'seed'], msg: 'Extra inputs' }] }],
  ])('%s: a seed is left out once it is refused', async (_, status, body) => {
    const { fetch, sent } = replying([status, body], [200, answer('fine')])
    const { model } = await start({}, { fetch })
    for (const _turn of [1, 2]) await model.generate(user('a'), { ...call, seed: 0 })
    expect(sent.map(({ seed }) => seed)).toEqual([0, undefined, undefined])
  })

  it.each([
    [
      'OpenAI',
      403,
      { error: { message: 'You are not allowed to request logprobs from this model.', param: null } },
    ],
    [
      'Groq',
      400,
      { error: { message: '`logprobs` is not supported with this model', type: 'invalid_request_error' } },
    ],
  ])('%s: log-probabilities are not asked for again once they are refused', async (_, status, body) => {
    const { fetch, sent } = replying([status, body], [200, answer('fine')])
    const { model } = await start({}, { fetch })
    for (const _turn of [1, 2]) await model.generate(user('a'), { ...call, logprobs: true })
    expect(sent.map(({ logprobs }) => logprobs)).toEqual([true, undefined, undefined])
  })

  it('a setting that is refused although it was left out ends in an error', async () => {
    const { fetch, sent } = replying([400, { error: { message: 'Unknown name "seed"' } }])
    const { model } = await start({}, { fetch, extraBody: { seed: 4 } })
    expect(await failure(model.generate(user('a'), call))).toMatchObject({ code: 'chat/rejected' })
    expect(sent.length).toBeLessThan(6)
  })
})

test('reasoning that is in the total alone is counted', async () => {
  const usage = { prompt_tokens: 100, completion_tokens: 5, total_tokens: 905 }
  const { fetch } = replying([200, { ...answer('a'), usage }])
  const { model } = await start({}, { fetch })
  expect((await model.generate(user('a'), call)).usage).toEqual({ promptTokens: 100, completionTokens: 805 })
})

describe('a model whose template opens its thoughts', () => {
  const cut = answer('Okay, so I need to update the', { finish_reason: 'length' })

  it('has said nothing where it was cut within them', async () => {
    const { fetch } = replying([200, answer('hm, so:</think>Ann Hale')], [200, cut])
    const { model } = await start({}, { fetch })
    expect((await model.generate(user('a'), call)).text).toBe('Ann Hale')
    expect(await model.generate(user('a'), call)).toMatchObject({
      text: '',
      reasoning: 'Okay, so I need to update the',
      finishReason: { unified: 'length' },
    })
  })

  it('is told apart from one that has no thoughts', async () => {
    const { fetch } = replying([200, answer('<think>hm</think>Ann Hale')], [200, cut])
    const { model } = await start({}, { fetch })
    await model.generate(user('a'), call)
    expect((await model.generate(user('a'), call)).text).toBe('Okay, so I need to update the')
  })
})

describe('calls that find out whether a prompt was cut', () => {
  const usage = (prompt_tokens: number) => ({ prompt_tokens, completion_tokens: 1 })
  const text = user(' '.repeat(20_000))

  it('are counted with the call', async () => {
    const { fetch, sent } = replying(
      [200, { ...answer('fine'), usage: usage(1000) }],
      [200, { ...answer(''), usage: usage(500) }],
    )
    const { model } = await start({}, { fetch })
    expect(await model.generate(text, call)).toMatchObject({
      text: 'fine',
      usage: { promptTokens: 2000, completionTokens: 3 },
    })
    expect(sent).toHaveLength(3)
  })

  it('do not fail it', async () => {
    const { fetch } = replying(
      [200, { ...answer('fine'), usage: usage(1000) }],
      [400, { error: { message: 'no' } }],
    )
    const { model } = await start({}, { fetch })
    expect((await model.generate(text, call)).text).toBe('fine')
  })
})
