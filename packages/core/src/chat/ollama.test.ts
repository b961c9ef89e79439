import { describe, expect, test } from 'vitest'
import { TruncatedPromptError } from '../errors.ts'
import { chatContract } from '../testing/chat-contract.ts'
import { registerCases } from '../testing/contract-case.ts'
import { sleep } from '../waiting.ts'
import type { Fetch } from './http-exchange.ts'
import type { Message } from './message.ts'
import { createOllamaModel, type OllamaOptions } from './ollama.ts'

const user = (content: string): Message[] => [{ role: 'user', content }]
const words = (text: string) => text.match(/\s*\S+/g) ?? []

interface Asked {
  readonly path: string
  readonly body: {
    readonly messages: readonly Message[]
    readonly options: { readonly num_ctx: number; readonly num_predict: number }
    readonly truncate?: boolean
    readonly logprobs?: boolean
  }
}

/** Answers like Ollama, echoing the last message. `obeys: false` is an old version that cuts in spite of `truncate: false`. */
function fakeOllama(options: { obeys?: boolean; show?: unknown } = {}): { fetch: Fetch; asked: Asked[] } {
  const asked: Asked[] = []
  const fetch: Fetch = async (input, init) => {
    const path = new URL(String(input)).pathname
    const body = init?.body === undefined ? undefined : JSON.parse(String(init.body))
    asked.push({ path, body })
    if (path === '/api/show') {
      return options.show === undefined
        ? Response.json({ error: `model '${body.model}' not found` }, { status: 404 })
        : Response.json(options.show)
    }
    if (path === '/api/tags')
      return Response.json({ models: [{ name: 'qwen2.5:7b' }, { name: 'llama3.2:3b' }] })
    if (body.model === 'missing') {
      return Response.json({ error: `model "missing" not found, try pulling it first` }, { status: 404 })
    }
    await sleep(3, init?.signal ?? undefined)
    const { messages, options: settings } = body as Asked['body']
    let prompt = messages.flatMap((message) => words(message.content))
    if (prompt.length > settings.num_ctx) {
      if (options.obeys !== false) {
        return Response.json({ error: 'the input length exceeds the context length' }, { status: 400 })
      }
      prompt = prompt.slice(-(settings.num_ctx >> 1))
    }
    const reply = messages.at(-1)?.content ?? ''
    const pieces = words(reply)
    const isCut = pieces.length > settings.num_predict
    const content = isCut ? pieces.slice(0, settings.num_predict).join('') : reply
    return Response.json({
      message: { role: 'assistant', content, thinking: 'hm' },
      done: true,
      done_reason: isCut ? 'length' : 'stop',
      prompt_eval_count: prompt.length,
      eval_count: words(content).length,
      ...(body.logprobs ? { logprobs: words(content).map((token) => ({ token, logprob: -1 })) } : {}),
    })
  }
  return { fetch, asked }
}

const create = (fetch: Fetch, more: Partial<OllamaOptions> = {}) =>
  createOllamaModel({ model: 'qwen2.5:7b', fetch, ...more })

describe('contract', () => {
  const cases = chatContract({
    create: () => create(fakeOllama().fetch, { contextWindow: 300 }),
    overlong: user('word '.repeat(400)),
    echoes: true,
    logprobs: true,
  })
  registerCases(cases, test)
})

test('tells Ollama the window and forbids it to cut', async () => {
  const { fetch, asked } = fakeOllama()
  const result = await create(fetch, {
    extraBody: { think: false, options: { repeat_penalty: 1 } },
  }).generate(user('hello'), { maxTokens: 8, temperature: 0, topP: 0.9, seed: 4, stop: ['x'] })
  expect(asked).toEqual([
    {
      path: '/api/chat',
      body: {
        model: 'qwen2.5:7b',
        messages: user('hello'),
        stream: false,
        truncate: false,
        shift: false,
        think: false,
        options: {
          repeat_penalty: 1,
          num_ctx: 10_240,
          num_predict: 8,
          temperature: 0,
          top_p: 0.9,
          seed: 4,
          stop: ['x'],
        },
      },
    },
  ])
  expect(result).toMatchObject({
    text: 'hello',
    reasoning: 'hm',
    finishReason: { unified: 'stop', raw: 'stop' },
  })
})

test('an old version that cuts prompts anyway is found out', async () => {
  const { fetch } = fakeOllama({ obeys: false })
  const tokenizer = { name: 'words', isExact: true, count: (text: string) => words(text).length }
  const answer = create(fetch, { contextWindow: 1000, tokenizer }).generate(user('word '.repeat(1200)), {
    maxTokens: 4,
  })
  await expect(answer).rejects.toBeInstanceOf(TruncatedPromptError)
})

describe('describe', () => {
  test('the window is the one asked for, up to what the model supports', async () => {
    const { fetch } = fakeOllama({ show: { model_info: { 'qwen2.context_length': 2048 } } })
    expect(await create(fetch).describe?.()).toEqual({ model: 'qwen2.5:7b', contextWindow: 2048 })
    expect(await create(fetch, { contextWindow: 1024 }).describe?.()).toMatchObject({ contextWindow: 1024 })
  })

  test('the address may end in /v1', async () => {
    const { fetch, asked } = fakeOllama()
    await create(fetch, { baseUrl: 'http://localhost:11434/v1/' }).generate(user('a'), { maxTokens: 1 })
    expect(asked[0]?.path).toBe('/api/chat')
  })
})

test('an unknown model: the error lists the known ones', async () => {
  const { fetch } = fakeOllama()
  await expect(
    create(fetch, { model: 'missing' }).generate(user('a'), { maxTokens: 1 }),
  ).rejects.toMatchObject({
    code: 'chat/unknown-model',
    hint: 'It knows: qwen2.5:7b, llama3.2:3b',
  })
})

test('a reply without an answer is an error', async () => {
  const fetch = async () => Response.json({ status: 'ok' })
  await expect(create(fetch).generate(user('a'), { maxTokens: 1 })).rejects.toMatchObject({
    code: 'chat/empty-response',
  })
})

test('a streamed reply is accepted although none was requested', async () => {
  const lines = [
    { message: { content: 'The ' }, done: false },
    { message: { content: 'end.' }, done: true, done_reason: 'stop', prompt_eval_count: 3, eval_count: 2 },
  ]
  const fetch = async () => new Response(lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
  expect(await create(fetch).generate(user('a'), { maxTokens: 4 })).toMatchObject({
    text: 'The end.',
    usage: { promptTokens: 3, completionTokens: 2 },
    finishReason: { unified: 'stop' },
  })
})

test('tokens that a server does not count are unknown', async () => {
  const reply = {
    message: { content: 'end.' },
    done: true,
    done_reason: 'stop',
    prompt_eval_count: 3,
    eval_count: -1,
  }
  const { usage } = await create(async () => Response.json(reply)).generate(user('a'), { maxTokens: 4 })
  expect(usage).toBeUndefined()
})
