import { describe, expect, test } from 'vitest'
import { ConfigurationError } from '../errors.ts'
import { type ChatBackends, chatBackends, createChatModel, parseModelSpec } from './registry.ts'
import { createScriptedModel } from './scripted.ts'

describe('parseModelSpec', () => {
  test.each([
    ['openai:gpt-5', 'openai', 'gpt-5'],
    ['openai:BytedTsinghua-SIA/RL-MemoryAgent-7B', 'openai', 'BytedTsinghua-SIA/RL-MemoryAgent-7B'],
    ['ollama:qwen2.5:7b', 'ollama', 'qwen2.5:7b'],
    ['gguf:./file.gguf', 'gguf', './file.gguf'],
    ['./mine.mjs', 'module', './mine.mjs'],
    ['/abs/mine.mjs', 'module', '/abs/mine.mjs'],
    ['file:///abs/mine.mjs', 'module', 'file:///abs/mine.mjs'],
    ['C:\\mine.mjs', 'module', 'C:\\mine.mjs'],
  ])('%s', (spec, backend, target) => {
    expect(parseModelSpec(spec)).toEqual({ backend, target })
  })

  test.each(['gpt-5', 'nothing:gpt-5', 'openai:', 'ollama', '', 'toString:x', '__proto__:x'])(
    'refuses "%s" and lists what is known',
    (spec) => {
      expect(() => parseModelSpec(spec)).toThrow(ConfigurationError)
      expect(() => parseModelSpec(spec)).toThrow(
        expect.objectContaining({
          hint: expect.stringMatching(/openai:NAME[\s\S]*ollama:NAME[\s\S]*gguf:FILE/),
        }),
      )
    },
  )
})

describe('createChatModel', () => {
  test('takes server and key from the environment passed in', async () => {
    const seen: { url: string; authorization: string | null }[] = []
    const fetch = async (url: string | URL | Request, init?: RequestInit) => {
      if (String(url).endsWith('/tokenize')) return new Response('', { status: 404 })
      seen.push({ url: String(url), authorization: new Headers(init?.headers).get('authorization') })
      return Response.json({ choices: [{ message: { content: 'hi' }, finish_reason: 'stop' }] })
    }
    const environment = { MEMAGENT_BASE_URL: 'http://box:8000/v1', MEMAGENT_API_KEY: 'secret' }
    const model = await createChatModel('openai:qwen', { environment, fetch })
    expect((await model.generate([{ role: 'user', content: 'a' }], { maxTokens: 1 })).text).toBe('hi')
    expect(seen).toEqual([{ url: 'http://box:8000/v1/chat/completions', authorization: 'Bearer secret' }])
    expect(model.name).toBe('openai:qwen')
  })

  test('uses token counts of the server where it has them, and estimates otherwise', async () => {
    const counting = async () => Response.json({ count: 3 })
    const silent = async () => Response.json({ error: 'no such path' }, { status: 404 })
    const open = (fetch: typeof globalThis.fetch) =>
      createChatModel('openai:qwen', { baseUrl: 'http://box:8000/v1', fetch })
    expect(await (await open(counting)).tokenizer?.count('any text')).toBe(3)
    expect((await open(silent)).tokenizer).toBeUndefined()
    const refusing = async () => {
      throw new Error('OpenAI is not asked')
    }
    expect(
      (await createChatModel('openai:gpt-5', { apiKey: 'key', fetch: refusing })).tokenizer,
    ).toBeUndefined()
  })

  test('ollama speaks its own protocol at its own address', async () => {
    const urls: string[] = []
    const fetch = async (url: string | URL | Request) => {
      urls.push(String(url))
      return Response.json({ message: { content: 'hi' }, done_reason: 'stop' })
    }
    const model = await createChatModel('ollama:qwen2.5:7b', { environment: { OLLAMA_HOST: 'box' }, fetch })
    await model.generate([{ role: 'user', content: 'a' }], { maxTokens: 1 })
    expect(urls).toEqual(['http://box:11434/api/chat'])
  })

  test('a table of more backends', async () => {
    const backends: ChatBackends = {
      ...chatBackends,
      fixed: {
        usage: 'fixed:TEXT',
        description: 'says one thing',
        load: async () => (target) => createScriptedModel(() => target),
      },
    }
    const model = await createChatModel('fixed:always this', {}, backends)
    const { text } = await model.generate([{ role: 'user', content: 'a' }], { maxTokens: 9 })
    expect(text).toBe('always this')
    expect(() => parseModelSpec('none:x', backends)).toThrow(
      expect.objectContaining({ hint: expect.stringContaining('fixed:TEXT') }),
    )
  })

  test("a module of the user's own, by path", async () => {
    const source =
      'export const createChatModel = (target, { sampling }) => ({ name: "mine " + sampling.temperature, generate() {} })'
    const path = `data:text/javascript,${encodeURIComponent(source)}`
    const load = () => import(path)
    expect(
      (await createChatModel('./mine.mjs', { sampling: { temperature: 0 } }, chatBackends, load)).name,
    ).toBe('mine 0')
  })

  test('a module that is absent or of another shape', async () => {
    await expect(createChatModel('/nowhere/mine.mjs')).rejects.toMatchObject({ code: 'chat/module' })
    await expect(createChatModel('./mine.mjs')).rejects.toThrow('Relative to what?')
    const load = async () => ({ other: 1 })
    await expect(createChatModel('./mine.mjs', {}, chatBackends, load)).rejects.toThrow(
      'exports neither createChatModel nor a default function',
    )
  })

  test.each([
    ['nothing', () => undefined, 'chat/module', /mine.mjs gives no chat model:\n {2}an object is wanted/],
    [
      'an object without what is needed',
      () => ({ name: '', tokenizer: {}, close: true }),
      'chat/module',
      /name: .*\n {2}generate: .*\n {2}tokenizer: .*\n {2}close: /,
    ],
    [
      'an error',
      async () => Promise.reject(new Error('no GPU')),
      'chat/module-failed',
      /mine.mjs cannot create its model: no GPU/,
    ],
  ])('a module that gives %s', async (_, create, code, message) => {
    const load = async () => ({ default: create })
    await expect(createChatModel('./mine.mjs', {}, chatBackends, load)).rejects.toMatchObject({
      code,
      message: expect.stringMatching(message),
    })
  })
})
