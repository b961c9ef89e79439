import { RateLimitedError } from '@memagent/core'
import { describe, expect, it } from 'vitest'
import { clientOf, dataOf, longText, noter, servedModel } from '../testing/served.ts'

const path = '/v1/chat/completions'
const question = 'What is the key?'
const text = longText(2000)
const asked = [
  { role: 'user', content: text },
  { role: 'user', content: question },
]

describe('a conversation that fits the window', () => {
  it('goes to the model as it is', async () => {
    const served = servedModel(['Good morning.'])
    const messages = [
      { role: 'system', content: 'Be polite.' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Hello' },
          { type: 'text', text: 'there' },
        ],
      },
    ]
    const { status, body } = await clientOf([served]).post(path, {
      model: 'reader',
      messages,
      temperature: 0.5,
      max_tokens: 9,
    })
    expect(status).toBe(200)
    expect(body.choices[0]).toMatchObject({
      message: { role: 'assistant', content: 'Good morning.' },
      finish_reason: 'stop',
    })
    expect(body.memagent).toEqual({ read: false })
    expect(served.model.calls).toHaveLength(1)
    expect(served.model.calls[0]).toMatchObject({
      messages: [
        { role: 'system', content: 'Be polite.' },
        { role: 'user', content: 'Hello\nthere' },
      ],
      options: { temperature: 0.5, maxTokens: 9 },
    })
  })

  it('says who speaks, of several users', async () => {
    const served = servedModel(['Tea.'])
    const messages = [
      { role: 'user', name: 'Alice', content: 'I will bring tea.' },
      { role: 'user', name: 'Bob', content: 'I bring cake.' },
      { role: 'user', content: 'What did Alice promise?' },
    ]
    await clientOf([served]).post(path, { model: 'reader', messages })
    expect(served.model.calls[0]!.messages.map(({ content }) => content)).toEqual([
      'Alice:\nI will bring tea.',
      'Bob:\nI bring cake.',
      'What did Alice promise?',
    ])
  })

  it('is sampled as the request says, then as the server, then as the profile', async () => {
    const served = servedModel(['1', '2'], { sampling: { temperature: 0.9, topP: 0.8 } })
    const client = clientOf([{ ...served, reading: { sampling: { temperature: 0, seed: 7 } } }])
    const messages = [{ role: 'user', content: 'Hello' }]
    await client.post(path, { model: 'reader', messages, seed: 3 })
    expect(served.model.calls[0]!.options).toMatchObject({ temperature: 0, topP: 0.8, seed: 3 })
  })

  it.each([
    ['its most tokens', 4, 'length', undefined],
    ['fewer', 2, 'stop', [{ code: 'unknown-end', message: expect.stringContaining('cut off') }]],
  ])(
    'tells a reply of %s, of which nobody says why it ended, as what it may be',
    async (_, tokens, end, warnings) => {
      const finishReason = { unified: 'other', raw: undefined } as const
      const usage = { promptTokens: 9, completionTokens: tokens }
      const { body } = await clientOf([servedModel([{ text: 'Once upon', usage, finishReason }])]).post(
        path,
        {
          ...{ model: 'reader', messages: [{ role: 'user', content: 'Tell me.' }], max_tokens: 4 },
        },
      )
      expect(body.choices[0].finish_reason).toBe(end)
      expect(body.memagent.warnings).toEqual(warnings)
    },
  )

  it('may have fields that ask for nothing', async () => {
    const nothing = {
      ...{ stop: null, logit_bias: {}, top_logprobs: null, reasoning_effort: null, functions: null },
      ...{ function_call: null, audio: null, prediction: null, parallel_tool_calls: null, tools: [] },
      ...{ modalities: ['text'], metadata: null, web_search_options: null, verbosity: null },
      tool_choice: 'auto',
      prompt_cache_retention: '24h',
    }
    // As OpenAI's Python client serializes a message.
    const unset = { refusal: null, annotations: null, audio: null, function_call: null, tool_calls: null }
    // As its `parse` returns one, and as other clients add fields.
    const added = { parsed: null, annotations: [], provider_specific_fields: null }
    const messages = [
      { role: 'user', content: 'Hello', name: null },
      { role: 'assistant', content: 'Hi.', ...unset },
      { role: 'assistant', content: 'Well?', tool_calls: [] },
      { role: 'assistant', content: [{ type: 'text', text: 'Well?', parsed: null }], ...added },
      { role: 'user', content: 'Again' },
    ]
    const { status } = await clientOf([servedModel(['Hi.'])]).post(path, {
      model: 'reader',
      messages,
      ...nothing,
    })
    expect(status).toBe(200)
  })

  it('has the usage that the server of the model told, its cache included', async () => {
    const usage = { promptTokens: 20, completionTokens: 3, cachedPromptTokens: 16 }
    const messages = [{ role: 'user', content: 'Hello' }]
    const { body } = await clientOf([servedModel([{ text: 'Hi.', usage }])]).post(path, {
      model: 'reader',
      messages,
    })
    expect(body.usage).toEqual({
      prompt_tokens: 20,
      completion_tokens: 3,
      total_tokens: 23,
      prompt_tokens_details: { cached_tokens: 16 },
    })
  })

  it('is read all the same by a model that was trained to read', async () => {
    const served = servedModel(noter, { workflows: ['overwrite'] })
    const { body } = await clientOf([served]).post(path, {
      model: 'reader',
      messages: [
        { role: 'user', content: 'The key is 7.' },
        { role: 'user', content: question },
      ],
    })
    expect(body.memagent).toMatchObject({ read: true, outcome: 'found' })
    expect(body.choices[0].message.content).toBe('7')
  })
})

describe('a conversation longer than the window', () => {
  it('is read, and answered with sources, usage of all calls, and the question that was used', async () => {
    const served = servedModel(noter)
    const { status, body } = await clientOf([served]).post(path, { model: 'reader', messages: asked })
    expect(status).toBe(200)
    expect(body.choices[0].message.content).toBe('48213')
    expect(body.memagent).toMatchObject({
      read: true,
      question,
      question_from: 'last-message',
      outcome: 'found',
      memory: 'The key is 48213.',
      sources: [{ quote: expect.stringContaining('The key is 48213.'), file: 'the message' }],
    })
    expect(body.memagent.steps).toBeGreaterThan(5)
    expect(body.usage.prompt_tokens).toBeGreaterThan(2000)
    expect(body.usage.total_tokens).toBe(body.usage.prompt_tokens + body.usage.completion_tokens)
  })

  it('has no usage where the server of the model did not report that of every call', async () => {
    const served = servedModel((call) => {
      const text = (noter as (of: typeof call) => string)(call)
      return call.index === 2 ? { text, usage: undefined } : text
    })
    const { body } = await clientOf([served]).post(path, { model: 'reader', messages: asked })
    expect(body.choices[0].message.content).toBe('48213')
    expect(body.usage).toBeUndefined()
    expect(body.memagent.calls).toBeGreaterThan(5)
  })

  it.each([
    ['the field', { messages: [{ role: 'user', content: text }], memagent: { question } }, 'field'],
    [
      'the last part',
      {
        messages: [
          {
            role: 'user',
            content: [
              { type: 'text', text },
              { type: 'text', text: question },
            ],
          },
        ],
      },
      'last-part',
    ],
    ['the last message', { messages: asked }, 'last-message'],
  ])('takes its question from %s', async (_, request, from) => {
    const { body } = await clientOf([servedModel(noter)]).post(path, { model: 'reader', ...request })
    expect(body.memagent).toMatchObject({ question, question_from: from, outcome: 'found' })
  })

  it('never looks for a question in the text', async () => {
    const served = servedModel(noter)
    const messages = [{ role: 'user', content: `${text}\n\n${question}` }]
    const { status, body } = await clientOf([served]).post(path, { model: 'reader', messages })
    expect(status).toBe(400)
    expect(body.error).toMatchObject({
      param: 'memagent.question',
      type: 'invalid_request_error',
      code: 'server/no-question',
    })
    expect(served.model.calls).toHaveLength(0)
  })

  it('says who spoke, and takes short instructions with the question', async () => {
    const served = servedModel(noter)
    const messages = [
      { role: 'system', content: 'Answer in French.' },
      { role: 'user', content: text },
      { role: 'user', name: 'Ann', content: 'So do I.' },
      { role: 'assistant', content: 'I see.' },
      { role: 'user', content: question },
    ]
    const { body } = await clientOf([served]).post(path, { model: 'reader', messages })
    expect(body.memagent).toMatchObject({
      instructions: 'with-question',
      question: `Answer in French.\n\n${question}`,
    })
    const prompts = served.model.calls.map(({ messages }) => messages.at(-1)!.content)
    expect(prompts.every((prompt) => prompt.includes('Answer in French.'))).toBe(true)
    expect(prompts.join('')).toMatch(/User:\n[\s\S]*User Ann:\nSo do I\.[\s\S]*Assistant:\nI see\./)
    const [{ file, quote, startByte, endByte, position }] = body.memagent.sources
    expect([file, position]).toEqual(['message 2 (user)', { line: 1 }])
    expect(Buffer.from(text).subarray(startByte, endByte).toString()).toBe(quote)
  })

  it('reads instructions that are long with the text', async () => {
    const served = servedModel(noter)
    const messages = [
      { role: 'system', content: text },
      { role: 'user', content: question },
    ]
    const { body } = await clientOf([served]).post(path, { model: 'reader', messages })
    expect(body.memagent).toMatchObject({ instructions: 'in-text', question, outcome: 'found' })
  })

  it('gives no call for the answer more tokens than the request allows', async () => {
    let answers = 0
    const served = servedModel(({ messages }) =>
      /\\boxed/.test(messages.at(-1)!.content)
        ? answers++ === 0
          ? ''
          : '\\boxed{48213}'
        : 'The key is 48213.',
    )
    const { body } = await clientOf([served]).post(path, { model: 'reader', messages: asked, max_tokens: 12 })
    expect(body.choices[0].message.content).toBe('48213')
    expect(served.model.calls.slice(-2).map(({ options }) => options.maxTokens)).toEqual([12, 12])
  })

  it('tells in words that the text does not answer', async () => {
    const messages = [{ role: 'user', content: longText(2000).replace(/The key is \d+/, 'No key') }, asked[1]]
    const { body } = await clientOf([servedModel(noter)]).post(path, { model: 'reader', messages })
    expect(body.choices[0].message.content).toBe('No answer was found in the text.')
    expect(body.memagent.outcome).toBe('not-found')
  })
})

describe('a stream', () => {
  it('shows the memory as it is rewritten, then the answer, then usage', async () => {
    const { body, headers } = await clientOf([servedModel(noter)]).post(path, {
      model: 'reader',
      messages: asked,
      stream: true,
      stream_options: { include_usage: true },
    })
    expect(headers.get('content-type')).toMatch(/^text\/event-stream/)
    expect(body.trimEnd().endsWith('data: [DONE]')).toBe(true)
    const data = dataOf(body)
    const deltas = data.flatMap(({ choices }) => choices.map(({ delta }: { delta: object }) => delta))
    expect(deltas[0]).toEqual({ role: 'assistant', content: '' })
    const reasoning = deltas.map(({ reasoning_content = '' }) => reasoning_content).join('')
    expect(reasoning).toMatch(/After chunk \d+:\nThe key is 48213\./)
    expect(deltas.map(({ content = '' }) => content).join('')).toBe('48213')
    expect(data.at(-2).choices[0].finish_reason).toBe('stop')
    expect(data.at(-2).memagent).toMatchObject({ outcome: 'found', question })
    expect(data.at(-1)).toMatchObject({ choices: [], usage: { total_tokens: expect.any(Number) } })
  })

  it('ends with an error where the reading fails, never with an answer', async () => {
    const served = servedModel(({ index }) =>
      index < 2 ? 'Nothing.' : new RateLimitedError({ code: 'chat/rate-limited', message: 'Slow down.' }),
    )
    const { body } = await clientOf([served]).post(path, { model: 'reader', messages: asked, stream: true })
    expect(body).not.toContain('[DONE]')
    expect(dataOf(body).at(-1)).toMatchObject({
      error: { code: 'chat/rate-limited', type: 'rate_limit_error' },
    })
  })
})
