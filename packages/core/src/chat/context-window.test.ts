import { afterEach, describe, expect, test } from 'vitest'
import { createStubServer, type StubServer, type StubServerOptions } from '../testing/stub-server.ts'
import { findContextWindow } from './context-window.ts'
import { createOpenAICompatibleModel } from './openai-compatible.ts'

let server: StubServer | undefined
afterEach(async () => {
  await server?.close()
  server = undefined
})

async function describeServer(stub: StubServerOptions) {
  server = await createStubServer(stub)
  const model = createOpenAICompatibleModel({ baseUrl: server.baseUrl, model: 'stub' })
  return model.describe?.()
}

/** Answers as the server under test would, by path. */
const paths = (answers: Record<string, unknown>) => (method: string, path: string) =>
  answers[`${method} ${path}`]

describe('describe', () => {
  test('vLLM and SGLang: max_model_len, without further requests', async () => {
    expect(await describeServer({ contextWindow: 8192 })).toEqual({ model: 'stub', contextWindow: 8192 })
    expect(server?.requests).toEqual(['GET /v1/models'])
  })

  test('llama.cpp: n_ctx of a slot', async () => {
    const extra = paths({ 'GET /props': { default_generation_settings: { n_ctx: 2560 }, total_slots: 4 } })
    expect((await describeServer({ extra }))?.contextWindow).toBe(2560)
  })

  test('SGLang: get_server_info', async () => {
    const extra = paths({ 'GET /get_server_info': { context_length: 32768 } })
    expect((await describeServer({ extra }))?.contextWindow).toBe(32768)
  })

  test('LM Studio: the length it was loaded with, not the longest it supports', async () => {
    const entry = { id: 'stub', loaded_context_length: 4096, max_context_length: 131072 }
    const extra = paths({ 'GET /api/v0/models': { data: [entry] } })
    expect((await describeServer({ extra }))?.contextWindow).toBe(4096)
  })

  test('a model that is not loaded yet reports no window', async () => {
    const extra = paths({ 'GET /api/v0/models': { data: [{ id: 'stub', max_context_length: 131072 }] } })
    expect((await describeServer({ extra }))?.contextWindow).toBeUndefined()
  })

  test('OpenAI: only the list of models is requested', async () => {
    const asked: string[] = []
    const fetch = async (url: string | URL | Request) => {
      asked.push(String(url))
      return Response.json({ data: [{ id: 'gpt' }] })
    }
    const model = createOpenAICompatibleModel({ baseUrl: 'https://api.openai.com/v1', model: 'gpt', fetch })
    expect((await model.describe?.())?.contextWindow).toBeUndefined()
    expect(asked).toEqual(['https://api.openai.com/v1/models'])
  })

  test('Ollama: num_ctx of the model', async () => {
    const extra = paths({
      'POST /api/show': {
        parameters: 'stop "<|im_end|>"\nnum_ctx    10240\n',
        model_info: { 'qwen2.context_length': 32768 },
      },
    })
    expect((await describeServer({ extra }))?.contextWindow).toBe(10240)
  })

  test('Ollama: otherwise the window it was loaded with, after loading it', async () => {
    let isLoaded = false
    const extra = (method: string, path: string) => {
      if (path === '/api/show') return { model_info: { 'qwen2.context_length': 32768 } }
      if (path === '/api/generate') isLoaded = true
      if (path === '/api/ps') {
        const other = { name: 'other', context_length: 99 }
        return { models: isLoaded ? [other, { name: 'stub:latest', context_length: 4096 }] : [other] }
      }
      return method === 'POST' ? {} : undefined
    }
    expect((await describeServer({ extra }))?.contextWindow).toBe(4096)
    expect(server?.requests).toContain('POST /api/generate')
  })

  test('Ollama: its default while it reports none', async () => {
    const extra = paths({ 'POST /api/show': { parameters: '' } })
    expect((await describeServer({ extra }))?.contextWindow).toBe(4096)
  })

  test('undefined when the server reports nothing', async () => {
    expect(await describeServer({})).toEqual({ model: 'stub', contextWindow: undefined })
  })

  test('a refused key and an unreachable server are errors', async () => {
    await expect(describeServer({ apiKey: 'other' })).rejects.toMatchObject({ code: 'chat/key-refused' })
    const model = createOpenAICompatibleModel({ baseUrl: server?.baseUrl ?? '', model: 'stub' })
    await server?.close()
    await expect(model.describe?.()).rejects.toMatchObject({ code: 'chat/unreachable' })
  })
})

test('replies of the wrong shape give no window', async () => {
  const nonsense = [null, 'text', [], { data: 'x' }, { data: [null, 3, { id: 'm', max_model_len: -1 }] }]
  for (const models of nonsense) {
    const facts = await findContextWindow('m', models, async () => ({ models: 3, model_info: [], data: {} }))
    expect(facts).toBeUndefined()
  }
})
