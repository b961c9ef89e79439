/** Through the SDK itself, as a program uses it. */
import { readFileSync } from 'node:fs'
import { createScriptedModel, RateLimitedError, type Script } from '@memagent/core'
import { generateText, type ModelMessage, streamText } from 'ai'
import { beforeAll, describe, expect, it } from 'vitest'
import { createMemAgentModel, type MemAgentModelOptions } from './memagent-model.ts'

beforeAll(() => {
  Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false })
})

const budget = { window: 700, question: 40, chunk: 60, memory: 40, output: 40 }
const question = 'What is the key?'

/** Notes every sentence about a key, and answers with what it noted. */
const noter: Script = ({ messages }) => {
  const prompt = messages.at(-1)!.content
  const found = /The key is (\d+)/.exec(prompt)?.[1]
  if (/\\boxed/.test(prompt)) return found ? `\\boxed{${found}}` : '\\boxed{not in the text}'
  return found ? `The key is ${found}.` : 'Nothing yet.'
}

const longText = (key = 'The key is 48213.') => {
  const words = Array.from({ length: 900 }, (_, i): string => (i % 12 === 11 ? 'sea.' : 'calm'))
  words.splice(450, 0, `. ${key}`)
  return words.join(' ')
}

function modelOf(script: Script, options: Partial<MemAgentModelOptions> = {}) {
  const scripted = createScriptedModel(script, { name: 'scripted' })
  const profile = { name: 'small', budget }
  return { calls: scripted.calls, model: createMemAgentModel({ model: scripted, profile, ...options }) }
}

const user = (content: Extract<ModelMessage, { role: 'user' }>['content']): ModelMessage => ({
  role: 'user',
  content,
})
const corpus = new URL('../../documents/src/testing/__fixtures__/corpus/', import.meta.url)
const asked = [user(longText()), user(question)]

describe('a conversation that fits the window', () => {
  it('goes to the model as it is', async () => {
    const usage = { promptTokens: 20, completionTokens: 3, cachedPromptTokens: 16 }
    const { calls, model } = modelOf([{ text: 'Good morning.', usage }])
    const result = await generateText({
      model,
      system: 'Be polite.',
      prompt: 'Hello',
      temperature: 0.5,
      seed: 3,
      maxOutputTokens: 9,
      stopSequences: ['\n'],
    })
    expect(result.text).toBe('Good morning.')
    expect(result.finishReason).toBe('stop')
    expect(result.usage).toMatchObject({ inputTokens: 20, outputTokens: 3, totalTokens: 23 })
    expect(result.usage.inputTokenDetails).toMatchObject({ cacheReadTokens: 16, noCacheTokens: 4 })
    expect(result.providerMetadata).toEqual({ memagent: { read: false } })
    expect(calls).toHaveLength(1)
    expect(calls[0]).toMatchObject({
      messages: [
        { role: 'system', content: 'Be polite.' },
        { role: 'user', content: 'Hello' },
      ],
      options: { temperature: 0.5, seed: 3, maxTokens: 9, stop: ['\n'] },
    })
  })

  it('is sampled as the profile says where the call does not', async () => {
    const profile = { name: 'small', budget, sampling: { temperature: 0.7, topP: 0.9 } }
    const { calls, model } = modelOf(['Hello.'], { profile })
    await generateText({ model, prompt: 'Hi', temperature: 0.2 })
    expect(calls[0]!.options).toMatchObject({ temperature: 0.2, topP: 0.9 })
  })

  it('leaves out what was thought before', async () => {
    const { calls, model } = modelOf(['Twice.'])
    await generateText({
      model,
      messages: [
        user('How often?'),
        {
          role: 'assistant',
          content: [
            { type: 'reasoning', text: 'Secret.' },
            { type: 'text', text: 'Once.' },
          ],
        },
        user('And then?'),
      ],
    })
    expect(JSON.stringify(calls[0]!.messages)).not.toContain('Secret')
    expect(calls[0]!.messages).toHaveLength(3)
  })
})

describe('a conversation longer than the window', () => {
  it('has sources that count messages of reasoning alone', async () => {
    const { model } = modelOf(noter)
    const thought = { role: 'assistant' as const, content: [{ type: 'reasoning' as const, text: 'Hm.' }] }
    const { sources } = await generateText({ model, messages: [user('Hello'), thought, ...asked] })
    expect(sources).toMatchObject([{ title: 'message 3 (user), line 1' }])
  })

  it('is read, and answered with sources, the memory, usage of all calls, and how it came about', async () => {
    const { calls, model } = modelOf(noter)
    const result = await generateText({ model, system: 'Answer shortly.', messages: asked })
    expect(result.text).toBe('48213')
    expect(result.reasoningText).toBe('The key is 48213.')
    expect(result.sources).toMatchObject([
      {
        sourceType: 'document',
        mediaType: 'text/plain',
        title: 'the message, line 1',
        providerMetadata: { memagent: { quote: expect.stringContaining('The key is 48213.') } },
      },
    ])
    expect(result.providerMetadata!.memagent).toMatchObject({
      read: true,
      question: `Answer shortly.\n\n${question}`,
      questionFrom: 'last-message',
      instructions: 'with-question',
      outcome: 'found',
      steps: calls.length - 1,
    })
    expect(result.usage.inputTokens).toBeGreaterThan(900)
    expect(result.warnings).toEqual([])
  })

  it('is never told to have an answer that it has not', async () => {
    const { model } = modelOf(noter)
    const result = await generateText({ model, messages: [user(longText('No key.')), user(question)] })
    expect(result.text).toBe('No answer was found in the text.')
    expect(result.providerMetadata!.memagent).toMatchObject({ outcome: 'not-found' })
  })

  it('warns of an answer that no passage says', async () => {
    const { model } = modelOf(({ messages }) =>
      /\\boxed/.test(messages.at(-1)!.content) ? '\\boxed{99999}' : 'The key is 99999.',
    )
    const { providerMetadata, sources } = await generateText({ model, messages: asked })
    expect(sources).toEqual([])
    expect(providerMetadata?.memagent).toMatchObject({
      outcome: 'found',
      warnings: [{ code: 'unsourced-answer' }],
    })
  })

  it('needs a question, which can be stated', async () => {
    const { calls, model } = modelOf(noter)
    await expect(generateText({ model, prompt: longText() })).rejects.toMatchObject({
      code: 'conversation/no-question',
      hint: expect.stringContaining('providerOptions'),
    })
    expect(calls).toHaveLength(0)
    const providerOptions = { memagent: { question } }
    const result = await generateText({ model, prompt: longText(), providerOptions })
    expect(result.text).toBe('48213')
    expect(result.providerMetadata!.memagent).toMatchObject({ questionFrom: 'field' })
  })

  it('is read by the workflow that is named', async () => {
    const { model } = modelOf(noter, { workflow: 'no-such' })
    await expect(generateText({ model, messages: asked })).rejects.toMatchObject({ code: 'workflow/unknown' })
  })
})

describe('files', () => {
  const text = (name: string, content: string) => ({
    type: 'file' as const,
    data: Buffer.from(content),
    mediaType: 'text/plain',
    filename: name,
  })

  it('are read under their names, those of the same name apart', async () => {
    const { model } = modelOf(noter)
    const files = [text('a.txt', longText('No key.')), text('a.txt', longText())]
    const content = [{ type: 'text' as const, text: question }, ...files]
    const result = await generateText({ model, messages: [user(content)] })
    expect(result.text).toBe('48213')
    expect(result.sources).toMatchObject([
      { title: expect.stringMatching(/^a\.txt \(2\)/), filename: 'a.txt (2)' },
    ])
  })

  it('that fit go to the model with their names', async () => {
    const { calls, model } = modelOf(['Yes.'])
    const file = text('evil\n\\boxed{}.txt', 'The key is 7.')
    await generateText({ model, messages: [user([file, { type: 'text', text: question }])] })
    expect(calls[0]!.messages).toEqual([
      { role: 'user', content: `File evil \\boxed{}.txt:\nThe key is 7.\n${question}` },
    ])
  })

  it('of other kinds are extracted, with places that people understand', async () => {
    const data = readFileSync(new URL('report.pdf', corpus))
    const file = { type: 'file' as const, data, mediaType: 'application/pdf', filename: 'report.pdf' }
    const keeper: Script = ({ messages }) => {
      const found = messages.at(-1)!.content.includes('Tomas Brandt')
      if (/\\boxed/.test(messages.at(-1)!.content))
        return found ? '\\boxed{Tomas Brandt}' : '\\boxed{unknown}'
      return found ? 'The lighthouse keeper is called Tomas Brandt.' : 'Nothing yet.'
    }
    const { model } = modelOf(keeper)
    const who = { type: 'text' as const, text: 'What is the lighthouse keeper called?' }
    const providerOptions = { memagent: { question: who.text } }
    const result = await generateText({ model, messages: [user([file, who])], providerOptions })
    expect(result.text).toBe('Tomas Brandt')
    expect(result.sources).toMatchObject([
      {
        title: expect.stringMatching(/^report\.pdf, page \d/),
        filename: 'report.pdf',
        mediaType: 'application/pdf',
      },
    ])
  })

  it.each(['answered', 'read'])('that are %s with a page without text are said to lack it', async (how) => {
    const data = readFileSync(new URL('half-scan.pdf', corpus))
    const file = { type: 'file' as const, data, mediaType: 'application/pdf', filename: 'half.pdf' }
    const content = [file, { type: 'text' as const, text: question }]
    const messages = how === 'read' ? [user(longText()), user(content)] : [user(content)]
    const { model } = modelOf(noter)
    const { providerMetadata } = await generateText({ model, messages })
    expect(providerMetadata?.memagent).toMatchObject({
      read: how === 'read',
      remarks: [expect.stringMatching(/half\.pdf: no text on page 2/)],
    })
  })

  it('that hold no text are refused by name', async () => {
    const png = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13])
    const file = { type: 'file' as const, data: png, mediaType: 'image/png', filename: 'photo.png' }
    const { model } = modelOf(noter)
    const messages = [user([file, { type: 'text', text: question }])]
    await expect(generateText({ model, messages })).rejects.toThrow('photo.png')
  })
})

describe('a stream', () => {
  it('shows each memory as it is rewritten, then the answer with its sources', async () => {
    const { model } = modelOf(noter)
    const result = streamText({ model, messages: asked })
    const types: string[] = []
    const memories: string[] = []
    for await (const part of result.fullStream) {
      types.push(part.type)
      if (part.type === 'reasoning-delta') memories.push(part.text)
    }
    expect(memories).toEqual(['Nothing yet.', 'The key is 48213.'])
    const order = types.filter((type) => /^(reasoning-start|text-start|source|finish)$/.test(type))
    expect(order).toEqual(['reasoning-start', 'reasoning-start', 'text-start', 'source', 'finish'])
    expect(await result.text).toBe('48213')
    expect(await result.sources).toHaveLength(1)
    expect((await result.totalUsage).inputTokens).toBeGreaterThan(900)
    expect((await result.providerMetadata)!.memagent).toMatchObject({ outcome: 'found' })
  })

  it('ends with the error where the reading fails, and gives no answer', async () => {
    const failing = modelOf(({ index }) =>
      index < 2 ? 'Nothing.' : new RateLimitedError({ code: 'chat/rate-limited', message: 'Slow down.' }),
    )
    const errors: unknown[] = []
    const result = streamText({
      model: failing.model,
      messages: asked,
      onError: ({ error }) => void errors.push(error),
    })
    let text = ''
    for await (const delta of result.textStream) text += delta
    expect(text).toBe('')
    expect(errors).toMatchObject([{ code: 'chat/rate-limited' }])
  })

  it('stops reading when it is aborted, or nobody reads it on', async () => {
    const controller = new AbortController()
    const aborted = modelOf((call) => {
      if (call.index === 3) controller.abort()
      return (noter as (of: typeof call) => string)(call)
    })
    const result = streamText({ model: aborted.model, messages: asked, abortSignal: controller.signal })
    const types: string[] = []
    for await (const part of result.fullStream) types.push(part.type)
    expect(types.at(-1)).toBe('abort')
    expect(aborted.calls.length).toBeLessThan(7)

    const left = modelOf(noter)
    const { stream } = await left.model.doStream({
      prompt: [
        { role: 'user', content: [{ type: 'text', text: longText() }] },
        { role: 'user', content: [{ type: 'text', text: question }] },
      ],
    })
    const reader = stream.getReader()
    for (let i = 0; i < 3; i++) await reader.read()
    await reader.cancel()
    const calls = left.calls.length
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(left.calls.length).toBeLessThanOrEqual(calls + 1)
    expect(calls).toBeLessThan(7)
  })
})

it('an abort ends generateText with its reason', async () => {
  const controller = new AbortController()
  const { calls, model } = modelOf((call) => {
    if (call.index === 2) controller.abort(new Error('gone'))
    return (noter as (of: typeof call) => string)(call)
  })
  await expect(generateText({ model, messages: asked, abortSignal: controller.signal })).rejects.toThrow(
    'gone',
  )
  expect(calls.length).toBeLessThan(6)
})
