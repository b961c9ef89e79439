import { afterEach, describe, expect, test } from 'vitest'
import { TruncatedPromptError } from '../errors.ts'
import { createStubServer, type StubServer, type StubServerOptions } from '../testing/stub-server.ts'
import type { Tokenizer } from '../tokenizers/tokenizer.ts'
import { createOpenAICompatibleModel, type OpenAICompatibleOptions } from './openai-compatible.ts'

const user = (content: string) => [{ role: 'user' as const, content }]
const words: Tokenizer = { name: 'words', isExact: true, count: (text) => text.match(/\S+/g)?.length ?? 0 }
/** 4.5 bytes a token, as the estimate supposes. */
const prose = (tokens: number) => 'ab defg '.repeat(tokens).slice(0, tokens * 4.5)

let server: StubServer | undefined
afterEach(async () => {
  await server?.close()
  server = undefined
})

async function start(stub: StubServerOptions, options: Partial<OpenAICompatibleOptions> = {}) {
  server = await createStubServer({ respond: () => 'fine', ...stub })
  const model = createOpenAICompatibleModel({ baseUrl: server.baseUrl, model: 'stub', ...options })
  return { model, stub: server }
}

describe('with an exact tokenizer', () => {
  test('a prompt that was cut to a quarter is an error with the numbers and the way out', async () => {
    const { model, stub } = await start({ silentWindow: 4096 }, { tokenizer: words })
    const answer = model.generate(user('word '.repeat(8000)), { maxTokens: 4 })
    await expect(answer).rejects.toBeInstanceOf(TruncatedPromptError)
    await expect(answer).rejects.toMatchObject({
      code: 'chat/truncated-prompt',
      details: { expectedTokens: 8000, reportedTokens: 2048, isExact: true },
      hint: expect.stringContaining('num_ctx 10240'),
    })
    expect(stub.calls).toHaveLength(1)
  })

  test('a few tokens less are tolerated, some per cent are not', async () => {
    const { model } = await start(
      {
        faults: [
          { kind: 'cut-prompt', tokens: 985 },
          { kind: 'cut-prompt', tokens: 950 },
        ],
      },
      { tokenizer: words },
    )
    expect((await model.generate(user('word '.repeat(1000)), { maxTokens: 4 })).text).toBe('fine')
    await expect(model.generate(user('word '.repeat(1000)), { maxTokens: 4 })).rejects.toBeInstanceOf(
      TruncatedPromptError,
    )
  })

  test('the count of the whole prompt, template included, is preferred', async () => {
    const { model } = await start({}, { tokenizer: words, countPromptTokens: () => 200 })
    await expect(model.generate(user('word '.repeat(100)), { maxTokens: 4 })).rejects.toThrow(
      '200 tokens were sent, stub saw 100',
    )
  })
})

describe('with an estimate', () => {
  const countTokens = (text: string) => Math.round(text.length / 4.5)

  test('a suspicion is settled by sending the two halves', async () => {
    const { model, stub } = await start({ countTokens, silentWindow: 4096 })
    const answer = model.generate(user(prose(8000)), { maxTokens: 4 })
    await expect(answer).rejects.toThrow('stub saw 2048 tokens of about 8000, but 8000 in its two halves')
    expect(stub.calls.map(({ body }) => body.max_tokens)).toEqual([4, 1, 1])
  })

  test('both halves may be cut too', async () => {
    const { model } = await start({ countTokens, silentWindow: 2048 })
    await expect(model.generate(user(prose(8000)), { maxTokens: 4 })).rejects.toThrow(
      '2048 in its two halves',
    )
  })

  test('a text of few tokens is cleared, once', async () => {
    const { model, stub } = await start({ countTokens: (text) => Math.round(text.length / 20) })
    for (let i = 0; i < 3; i++) await model.generate(user(' '.repeat(20_000)), { maxTokens: 4 })
    expect(stub.calls).toHaveLength(5)
  })

  test('short prompts and ordinary ones cost no extra call', async () => {
    const { model, stub } = await start({ countTokens: (text) => Math.round(text.length / 5.5) })
    await model.generate(user('hello'), { maxTokens: 4 })
    await model.generate(user(prose(8000)), { maxTokens: 4 })
    expect(stub.calls).toHaveLength(2)
  })
})

test('a server that reports no usage is not judged', async () => {
  const fetch = async () =>
    Response.json({ choices: [{ message: { content: 'fine' }, finish_reason: 'stop' }] })
  const { model } = await start({}, { fetch, tokenizer: words })
  expect(await model.generate(user('word '.repeat(8000)), { maxTokens: 4 })).toMatchObject({
    text: 'fine',
    usage: undefined,
  })
})

test('an answer that ran past the window pushed the prompt out', async () => {
  const { model } = await start(
    { respond: () => 'word '.repeat(60) },
    { tokenizer: words, contextWindow: 100 },
  )
  await expect(model.generate(user('word '.repeat(50)), { maxTokens: 60 })).rejects.toThrow(
    '50 tokens of prompt and 60 of output are more than the window of 100',
  )
})

test('a prompt known not to fit is not sent', async () => {
  const { model, stub } = await start({}, { contextWindow: 100, countPromptTokens: () => 90 })
  await expect(model.generate(user('a'), { maxTokens: 11 })).rejects.toThrow(
    'A prompt of 90 tokens and 11 of output do not fit the window of 100',
  )
  expect(stub.calls).toHaveLength(0)
})
