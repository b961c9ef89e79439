/** `/v1/messages` as Anthropic's own client sees it. */
import Anthropic, { APIError } from '@anthropic-ai/sdk'
import { RateLimitedError } from '@memagent/core'
import { afterEach, describe, expect, it } from 'vitest'
import { listen, type RunningServer } from '../listen.ts'
import type { ServedModel } from '../served-model.ts'
import { clientOf, hangingModel, longText, noter, servedModel } from '../testing/served.ts'

const path = '/v1/messages'
const question = 'What is the key?'
const text = longText(2000)
const messages = [
  { role: 'user' as const, content: text },
  { role: 'user' as const, content: question },
]
const asked = { model: 'reader', max_tokens: 4096, messages }
const thinking = { type: 'enabled' as const, budget_tokens: 1024 }

let server: RunningServer | undefined
afterEach(() => server?.stop())

async function anthropic(served: ServedModel) {
  server = await listen({ models: [served], port: 0 })
  return new Anthropic({ baseURL: server.url, apiKey: 'none', maxRetries: 0 })
}

describe('a whole message', () => {
  it('passes a short conversation through, with its system text and usage', async () => {
    const usage = { promptTokens: 20, completionTokens: 3, cachedPromptTokens: 16 }
    const served = servedModel([{ text: 'Hi.', usage }])
    const client = await anthropic(served)
    const message = await client.messages.create({
      model: 'reader',
      max_tokens: 9,
      system: [{ type: 'text', text: 'Be polite.', cache_control: { type: 'ephemeral' } }],
      messages: [{ role: 'user', content: 'Hello' }],
    })
    expect(message).toMatchObject({
      type: 'message',
      role: 'assistant',
      content: [{ type: 'text', text: 'Hi.' }],
      stop_reason: 'end_turn',
      usage: { input_tokens: 4, cache_read_input_tokens: 16, output_tokens: 3 },
      memagent: { read: false },
    })
    expect(served.model.calls[0]).toMatchObject({
      messages: [
        { role: 'system', content: 'Be polite.' },
        { role: 'user', content: 'Hello' },
      ],
      options: { maxTokens: 9 },
    })
  })

  it('may ask for more tokens than there is room for, and gets those that there are', async () => {
    const served = servedModel([{ text: 'Hi.', finishReason: { unified: 'length', raw: 'length' } }])
    const client = await anthropic(served)
    const message = await client.messages.create({ ...asked, messages: [{ role: 'user', content: 'Hello' }] })
    expect(message.stop_reason).toBe('max_tokens')
    expect(served.model.calls[0]!.options.maxTokens).toBe(699)
  })

  it('is read where the conversation is long; the memory is shown as thinking if that is asked for', async () => {
    const client = await anthropic(servedModel(noter))
    const message = await client.messages.create(asked)
    expect(message.content).toMatchObject([{ type: 'text', text: '48213' }])
    expect(message).toMatchObject({
      memagent: {
        read: true,
        question,
        question_from: 'last-message',
        outcome: 'found',
        memory: 'The key is 48213.',
        sources: [{ quote: expect.stringContaining('48213') }],
      },
    })
    const { content } = await client.messages.create({ ...asked, thinking })
    expect(content).toMatchObject([
      { type: 'thinking', thinking: 'The key is 48213.' },
      { type: 'text', text: '48213' },
    ])
    const again = await client.messages.create({
      ...asked,
      messages: [...messages, { role: 'assistant', content }, { role: 'user', content: question }],
    })
    expect(again.content).toMatchObject([{ type: 'text', text: '48213' }])
  })

  it('takes a document and the question behind it, in one message', async () => {
    const client = await anthropic(servedModel(noter))
    const source = { type: 'text' as const, media_type: 'text/plain' as const, data: text }
    const message = await client.messages.create({
      ...asked,
      messages: [
        {
          role: 'user',
          content: [
            { type: 'document', source, title: 'A letter' },
            { type: 'text', text: question },
          ],
        },
      ],
    })
    expect(message).toMatchObject({
      memagent: {
        question,
        question_from: 'last-message',
        outcome: 'found',
        sources: [{ file: 'A letter' }],
      },
    })
  })
})

it('names texts so that they can be told apart, in one line', async () => {
  const served = servedModel(['Hi.'])
  const document = (data: string, title?: string) => ({
    ...{ type: 'document', title },
    source: { type: 'text', media_type: 'text/plain', data },
  })
  const content = [document('One.'), document('Two.'), document('Three.', 'A\n\u001b[2Jletter')]
  const reply = await clientOf([served]).post(path, { ...asked, messages: [{ role: 'user', content }] })
  expect(reply.status).toBe(200)
  expect(served.model.calls[0]!.messages[0]!.content).toBe(
    'File document:\nOne.\nFile document (2):\nTwo.\nFile A [2Jletter:\nThree.',
  )
})

it('has sources that count messages of thinking alone, as its client does', async () => {
  const thought = { role: 'assistant', content: [{ type: 'thinking', thinking: 'Hm.', signature: 's' }] }
  const hello = { role: 'user', content: 'Hello' }
  const body = { ...asked, messages: [hello, thought, ...messages] }
  const reply = await clientOf([servedModel(noter)]).post(path, body)
  expect(reply.body.memagent.sources).toMatchObject([{ file: 'message 3 (user)' }])
})

describe('a stream', () => {
  it('has the events of the protocol in order', async () => {
    const { body, headers } = await clientOf([servedModel(noter)]).post(path, {
      ...asked,
      thinking,
      stream: true,
    })
    expect(headers.get('content-type')).toMatch(/^text\/event-stream/)
    expect(headers.get('x-accel-buffering')).toBe('no')
    const types = [...body.matchAll(/^event: (.*)\ndata: \{"type":"(.*?)"/gm)].map(([, name, type]) => {
      expect(type).toBe(name)
      return name
    })
    expect(types.filter((type, i) => type !== types[i - 1])).toEqual([
      'message_start',
      'ping',
      'content_block_start',
      'content_block_delta',
      'content_block_stop',
      'content_block_start',
      'content_block_delta',
      'content_block_stop',
      'message_delta',
      'message_stop',
    ])
    expect(body).toContain('"memagent":{"read":true')
  })

  it("is put together by the client's own helper", async () => {
    const client = await anthropic(servedModel(noter))
    const stream = client.messages.stream({ ...asked, thinking })
    const thoughts: string[] = []
    stream.on('thinking', (thought) => thoughts.push(thought))
    const message = await stream.finalMessage()
    expect(thoughts.join('')).toMatch(/After chunk \d+:\nThe key is 48213\./)
    expect(message.content.map(({ type }) => type)).toEqual(['thinking', 'text'])
    expect(await stream.finalText()).toBe('48213')
    expect(message.stop_reason).toBe('end_turn')
    expect(message.usage.input_tokens).toBeGreaterThan(2000)
    expect(message.usage.output_tokens).toBeGreaterThan(5)
  })

  it('fails as a stream where the reading fails', async () => {
    const served = servedModel(({ index }) =>
      index < 2 ? 'Nothing.' : new RateLimitedError({ code: 'chat/rate-limited', message: 'Slow down.' }),
    )
    const client = await anthropic(served)
    const error = await client.messages
      .stream(asked)
      .finalMessage()
      .catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(APIError)
    expect(error).toMatchObject({ error: { error: { type: 'rate_limit_error', message: 'Slow down.' } } })
  })

  it('stops reading when the client goes away', async () => {
    const { served, asked: isAsked, givenUp } = hangingModel()
    const client = await anthropic(served)
    const stream = await client.messages.create({ ...asked, stream: true })
    await isAsked
    stream.controller.abort()
    await givenUp
    expect(served.model.calls).toHaveLength(1)
  })
})
