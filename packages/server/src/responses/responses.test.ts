/** `/v1/responses` as OpenAI's own client sees it. */
import { RateLimitedError } from '@memagent/core'
import OpenAI from 'openai'
import type { ResponseInputItem, ResponseStreamEvent } from 'openai/resources/responses/responses'
import { afterEach, describe, expect, it } from 'vitest'
import { type ListenOptions, listen, type RunningServer } from '../listen.ts'
import { createKey, hashOfKey } from '../safety/keys.ts'
import type { ServedModel } from '../served-model.ts'
import { clientOf, hangingModel, longText, noter, servedModel } from '../testing/served.ts'

const path = '/v1/responses'
const question = 'What is the key?'
const text = longText(2000)
const input = [
  { role: 'user' as const, content: text },
  { role: 'user' as const, content: question },
]

let server: RunningServer | undefined
afterEach(() => server?.stop())

async function openAi(served: ServedModel, options: Partial<ListenOptions> = {}, apiKey = 'none') {
  server = await listen({ models: [served], port: 0, ...options })
  return new OpenAI({ baseURL: `${server.url}/v1`, apiKey, maxRetries: 0 })
}

describe('a whole response', () => {
  it('passes a short conversation through, with instructions and usage', async () => {
    const usage = { promptTokens: 20, completionTokens: 3, cachedPromptTokens: 16 }
    const served = servedModel([{ text: 'Hi.', usage }])
    const client = await openAi(served)
    const response = await client.responses.create({
      model: 'reader',
      instructions: 'Be polite.',
      input: 'Hello',
      temperature: 0.5,
      max_output_tokens: 9,
      metadata: { of: 'a test' },
    })
    expect(response.output_text).toBe('Hi.')
    expect(response).toMatchObject({
      status: 'completed',
      instructions: 'Be polite.',
      metadata: { of: 'a test' },
      store: false,
      memagent: { read: false },
      usage: {
        input_tokens: 20,
        output_tokens: 3,
        total_tokens: 23,
        input_tokens_details: { cached_tokens: 16 },
      },
    })
    expect(served.model.calls[0]).toMatchObject({
      messages: [
        { role: 'system', content: 'Be polite.' },
        { role: 'user', content: 'Hello' },
      ],
      options: { temperature: 0.5, maxTokens: 9 },
    })
  })

  it('is read where the input is long, with the memory as its reasoning', async () => {
    const client = await openAi(servedModel(noter))
    const response = await client.responses.create({ model: 'reader', input })
    expect(response.output_text).toBe('48213')
    expect(response.output.map(({ type }) => type)).toEqual(['reasoning', 'message'])
    expect(response.output[0]).toMatchObject({
      summary: [{ type: 'summary_text', text: 'The key is 48213.' }],
    })
    expect(response).toMatchObject({
      memagent: { read: true, question, question_from: 'last-message', outcome: 'found', sources: [{}] },
    })
  })

  it.each(['create', 'parse'] as const)('takes what %s gave back as part of the next input', async (get) => {
    const served = servedModel(noter)
    const client = await openAi(served)
    const first = await client.responses[get]({ model: 'reader', input })
    const again = await client.responses.create({
      model: 'reader',
      input: [...input, ...(first.output as ResponseInputItem[]), { role: 'user', content: question }],
    })
    expect(again).toMatchObject({ output_text: '48213', memagent: { question } })
    expect(served.model.calls.map(({ messages }) => messages.at(-1)!.content).join('')).toContain(
      'Assistant:\n48213',
    )
  })

  it('says that it is incomplete where the tokens did not suffice', async () => {
    const client = await openAi(servedModel(['one two three four']))
    const response = await client.responses.create({ model: 'reader', input: 'Count', max_output_tokens: 2 })
    expect(response).toMatchObject({
      status: 'incomplete',
      incomplete_details: { reason: 'max_output_tokens' },
      output_text: 'one two',
    })
  })
})

describe('a stream', () => {
  it('has the events of the protocol in order, numbered, and adds up', async () => {
    const client = await openAi(servedModel(noter))
    const events: ResponseStreamEvent[] = []
    for await (const event of await client.responses.create({ model: 'reader', input, stream: true })) {
      events.push(event)
    }
    const types = events.map(({ type }) => type.replace('response.', ''))
    expect(types.slice(0, 3)).toEqual(['created', 'in_progress', 'output_item.added'])
    const summaries = types.filter((type) => type.startsWith('reasoning_summary'))
    expect(summaries.slice(0, 4)).toEqual([
      'reasoning_summary_part.added',
      'reasoning_summary_text.delta',
      'reasoning_summary_text.done',
      'reasoning_summary_part.done',
    ])
    expect(types.slice(3 + summaries.length)).toEqual([
      'output_item.done',
      'output_item.added',
      'content_part.added',
      'output_text.delta',
      'output_text.done',
      'content_part.done',
      'output_item.done',
      'completed',
    ])
    expect(events.map(({ sequence_number }) => sequence_number)).toEqual(events.map((_, i) => i))
    expect(events.at(-1)).toMatchObject({
      response: {
        status: 'completed',
        memagent: { outcome: 'found' },
        usage: { total_tokens: expect.any(Number) },
      },
    })
  })

  it("is put together by the client's own helper", async () => {
    const client = await openAi(servedModel(noter))
    const stream = client.responses.stream({ model: 'reader', input })
    const written: string[] = []
    stream.on('response.output_text.delta', ({ delta }) => written.push(delta))
    const response = await stream.finalResponse()
    expect([response.output_text, written.join('')]).toEqual(['48213', '48213'])
    const [reasoning] = response.output
    expect(JSON.stringify(reasoning)).toContain('The key is 48213.')
  })

  it('fails as a stream where the reading fails', async () => {
    const served = servedModel(({ index }) =>
      index < 2 ? 'Nothing.' : new RateLimitedError({ code: 'chat/rate-limited', message: 'Slow down.' }),
    )
    const client = await openAi(served)
    const stream = await client.responses.create({ model: 'reader', input, stream: true })
    const events: ResponseStreamEvent[] = []
    for await (const event of stream) events.push(event)
    expect(events.map(({ type }) => type).join(' ')).not.toMatch(/completed|output_text/)
    // Later versions of the client throw at the first one.
    expect(events.slice(-2)).toMatchObject([
      { type: 'error', code: 'chat/rate-limited', message: expect.stringContaining('Slow down.') },
      { type: 'response.failed', response: { status: 'failed' } },
    ])
    const { body } = await clientOf([
      servedModel([new RateLimitedError({ code: 'x/y', message: 'No.' })]),
    ]).post(path, { model: 'reader', input: 'Hello', stream: true })
    expect(body.trim().split('\n').at(-1)).toContain('"type":"response.failed"')
  })

  it('stops reading when the client goes away', async () => {
    const { served, asked, givenUp } = hangingModel()
    const client = await openAi(served)
    const stream = await client.responses.create({ model: 'reader', input, stream: true })
    await asked
    stream.controller.abort()
    await givenUp
    expect(served.model.calls).toHaveLength(1)
  })
})

describe('errors', () => {
  it('are classes of the client, with the field that is wrong', async () => {
    const key = createKey()
    const findKey = async (hash: string) => (hash === hashOfKey(key) ? { name: 'team', hash } : undefined)
    const client = await openAi(servedModel(noter), { findKey }, key)
    const asked = { model: 'reader', input: 'Hello' }
    await expect(client.responses.create({ ...asked, model: 'other' })).rejects.toMatchObject({
      constructor: OpenAI.NotFoundError,
      param: 'model',
    })
    await expect(client.responses.create({ ...asked, input: `${text} ${question}` })).rejects.toMatchObject({
      constructor: OpenAI.BadRequestError,
      param: 'memagent.question',
    })
    await expect(client.withOptions({ apiKey: 'wrong' }).responses.create(asked)).rejects.toBeInstanceOf(
      OpenAI.AuthenticationError,
    )
  })

  it.each([
    ['a response before', { previous_response_id: 'resp_1' }, 'previous_response_id'],
    ['a conversation', { conversation: 'conv_1' }, 'conversation'],
    ['keeping', { store: true }, 'store'],
    ['the background', { background: true }, 'background'],
    ['tools', { tools: [{ type: 'web_search' }] }, 'tools'],
    ['effort', { reasoning: { effort: 'high' } }, 'reasoning.effort'],
    ['a format', { text: { format: { type: 'json_object' } } }, 'text.format.type'],
    ['an image', { input: [{ role: 'user', content: [{ type: 'input_image' }] }] }, 'input.0.content.0.type'],
    ['a reference', { input: [{ type: 'item_reference', id: 'x' }] }, 'input.0.type'],
    ['no input', { input: [] }, 'input'],
    ['a number', { input: 5 }, 'input'],
    ['what it does not know', { prompt: { id: 'x' } }, 'prompt'],
    [
      'a question without a text',
      { input: 'Hi', memagent: { question: 'why '.repeat(60) } },
      'memagent.question',
    ],
  ])('%s is refused by its name', async (_, change, param) => {
    const served = servedModel(['never'])
    const { status, body } = await clientOf([served]).post(path, {
      model: 'reader',
      input: 'Hello',
      ...change,
    })
    expect(status).toBe(400)
    expect(body.error).toMatchObject({ param, message: expect.any(String) })
    expect(served.model.calls).toHaveLength(0)
  })
})
