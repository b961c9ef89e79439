/** What `/v1/chat/completions` refuses, naming the field, and how it reports failures of the model. */
import { createOpenAICompatibleModel } from '@memagent/core'
import { describe, expect, it } from 'vitest'
import { clientOf, longText, servedModel } from '../testing/served.ts'

const path = '/v1/chat/completions'
const asked = [
  { role: 'user', content: longText(2000) },
  { role: 'user', content: 'What is the key?' },
]

describe('what is refused', () => {
  it.each([
    ['an unknown model', { model: 'other' }, 404, 'model'],
    ['tools', { tools: [{}] }, 400, 'tools'],
    ['a tool that must be called', { tool_choice: 'required' }, 400, 'tool_choice'],
    [
      'calls of tools',
      { messages: [{ role: 'assistant', content: 'x', tool_calls: [{}] }] },
      400,
      'messages.0.tool_calls',
    ],
    ['several answers', { n: 2 }, 400, 'n'],
    ['a format', { response_format: { type: 'json_object' } }, 400, 'response_format.type'],
    [
      'an image',
      { messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url: 'http://x/' } }] }] },
      400,
      'messages.0.content.0.type',
    ],
    ['a field that it does not know', { best_of: 2 }, 400, 'best_of'],
    ['weights of tokens', { logit_bias: { 50256: -100 } }, 400, 'logit_bias'],
    ['where to stop', { stop: ['\n'] }, 400, 'stop'],
    [
      'a name with a line break',
      { messages: [{ role: 'user', name: 'A\nB', content: 'x' }] },
      400,
      'messages.0.name',
    ],
    ['no messages', { messages: [] }, 400, 'messages'],
    ['a role', { messages: [{ role: 'tool', content: 'x' }] }, 400, 'messages.0.role'],
    ['a question that nobody can see', { memagent: { question: '\u200b' } }, 400, 'memagent.question'],
    ['a question that is too long', { memagent: { question: 'why '.repeat(60) } }, 400, 'memagent.question'],
  ])('%s', async (_, change, status, param) => {
    const served = servedModel(['never'])
    const reply = await clientOf([served]).post(path, { model: 'reader', messages: asked, ...change })
    expect(reply.status).toBe(status)
    expect(reply.body.error).toMatchObject({ param, message: expect.any(String) })
    expect(served.model.calls).toHaveLength(0)
  })

  it.each([
    ['broken JSON', '{', 400],
    ['an array', '[]', 400],
  ])('%s', async (_, body, status) => {
    expect((await clientOf([servedModel([])]).post(path, body)).status).toBe(status)
  })

  it('a body in another encoding, whose letters would be read as replacement characters', async () => {
    const served = servedModel(['never'])
    const bytes = Buffer.from(
      JSON.stringify({ model: 'reader', messages: asked }).replace('calm', 'cälm'),
      'latin1',
    )
    for (const route of [path, '/v1/messages', '/v1/responses']) {
      const reply = await clientOf([served]).app.request(`http://localhost${route}`, {
        method: 'POST',
        headers: { host: 'localhost', 'content-type': 'application/json' },
        body: bytes,
      })
      expect([reply.status, await reply.text()]).toEqual([400, expect.stringContaining('not UTF-8')])
    }
    expect(served.model.calls).toHaveLength(0)
  })

  it('a body that is not declared as JSON, as a page of another site could send it', async () => {
    const reply = await clientOf([servedModel([])]).post(path, '{}', { 'content-type': 'text/plain' })
    expect(reply.status).toBe(415)
  })

  it('a body that is compressed, which is not taken for text in another encoding', async () => {
    const { status, body } = await clientOf([servedModel([])]).post(path, '\x1f', {
      'content-encoding': 'gzip',
    })
    expect([status, body.error]).toMatchObject([415, { code: 'server/compressed' }])
  })

  it('a request that is too large', async () => {
    const reply = await clientOf([servedModel([])], { mostBytes: 1000 }).post(path, {
      model: 'reader',
      messages: asked,
    })
    expect(reply.status).toBe(413)
  })

  it('a conversation whose model is limited for long is not held, and told when to come again', async () => {
    const model = createOpenAICompatibleModel({
      ...{ model: 'limited', baseUrl: 'http://limited/v1' },
      fetch: async () => new Response('{}', { status: 429, headers: { 'retry-after': '30' } }),
    })
    const messages = [{ role: 'user', content: 'Hello' }]
    const { post } = clientOf([{ ...servedModel([]), model }])
    const { status, headers, body } = await post(path, { model: 'reader', messages })
    expect([status, body.error.code]).toEqual([429, 'chat/rate-limited'])
    expect(Number(headers.get('retry-after'))).toBeGreaterThanOrEqual(30)
  })

  it('a failing model is a gateway error, and its address stays here', async () => {
    const failures: unknown[] = []
    const served = servedModel([new Error('secret detail')])
    const messages = [{ role: 'user', content: 'Hello' }]
    const { status, body } = await clientOf([served], { onFailure: (error) => failures.push(error) }).post(
      path,
      { model: 'reader', messages },
    )
    expect(status).toBe(500)
    expect(JSON.stringify(body)).not.toContain('secret')
    expect(failures).toHaveLength(1)
  })
})
