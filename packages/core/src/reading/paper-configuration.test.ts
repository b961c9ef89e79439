/**
 * The paper's configuration against a server that rejects what does not fit its window: chunks of exactly 5,000 tokens,
 * a memory of 1,024, a window of 8,192.
 */
import { expect, it } from 'vitest'
import { createOpenAICompatibleModel } from '../chat/openai-compatible.ts'
import { paperProfile } from '../chat/profile.ts'
import { createScriptedModel } from '../chat/scripted.ts'
import { createTextDocument } from '../documents/text-document.ts'
import { createStubServer } from '../testing/stub-server.ts'
import { tinyTokenizerJson } from '../testing/tiny-tokenizer.ts'
import { createHuggingFaceTokenizer } from '../tokenizers/hugging-face.ts'
import { read } from './read.ts'

const tokenizer = createHuggingFaceTokenizer(tinyTokenizerJson('qwen2'))
const text = Array.from(
  { length: 1100 },
  (_, i) => `On day ${i} the old man wrote ${i * 7919} words – über Größe, 你好 😀 – and said so.\n`,
).join('')

it('makes one call per chunk and one for the answer, none is rejected, and the memory stays bounded', async () => {
  const memories: number[] = []
  const server = await createStubServer({
    contextWindow: 8192,
    countTokens: (part) => tokenizer.count(part),
    // Twenty tokens for the chat template.
    countPrompt: (messages) => messages.reduce((sum, { content }) => sum + 20 + tokenizer.count(content), 0),
    respond({ messages: [message], index }) {
      const memory = /<memory>\n([\s\S]*?)\n<\/memory>/.exec(message!.content)?.[1] ?? ''
      memories.push(tokenizer.count(memory))
      if (!message!.content.includes('<section>')) return `It is \\boxed{${memory.slice(0, 30)}}.`
      // A memory that always tries to exceed its budget.
      return `${'The old man wrote, and said so. '.repeat(3 * (index + 1))}${memory}`
    },
  })
  try {
    const tokens = tokenizer.count(text)
    const chunks = Math.ceil(tokens / 5000)
    expect(tokens).toBeGreaterThan(60_000)
    const model = createOpenAICompatibleModel({
      baseUrl: server.baseUrl,
      model: 'stub',
      tokenizer,
      apiKey: '',
    })
    const result = await read({
      question: 'How many words did the old man write?',
      document: createTextDocument(text),
      model,
      profile: { ...paperProfile, chunking: 'exact' },
    })
    expect(server.calls).toHaveLength(chunks + 1)
    expect(result.steps).toBe(chunks)
    expect(result.usage).toMatchObject({ calls: chunks + 1, chunkTokens: tokens })
    expect(result.usage.bytes).toBe(Buffer.byteLength(text))
    expect(
      server.calls.every(({ promptTokens, body }) => promptTokens + Number(body.max_tokens) <= 8192),
    ).toBe(true)
    const sections = server.calls.flatMap(({ messages: [message] }) => {
      const section = /<section>\n([\s\S]*)\n<\/section>/.exec(message!.content)?.[1]
      return section === undefined ? [] : [section]
    })
    expect(sections.join('')).toBe(text)
    // A token that ends inside a character goes to the next chunk.
    for (const section of sections.slice(0, -1)) {
      expect(tokenizer.count(section)).toBeLessThanOrEqual(5000)
      expect(tokenizer.count(section)).toBeGreaterThanOrEqual(4990)
    }
    expect(Math.max(...memories)).toBeLessThanOrEqual(1024)
    expect(memories.at(-1)).toBeGreaterThan(900)
    // The server counts words, so memories may exceed the budget in the model's own tokens: the cut is reported.
    expect(result).toMatchObject({
      ...{ outcome: 'unsure', answer: 'The old man wrote, and said so' },
      warnings: [{ code: 'memory-cut', step: 6, lastStep: chunks }],
    })
  } finally {
    await server.close()
  }
})

it('shortens a chunk of control tokens, whose look-alikes are more tokens, until it fits', async () => {
  const sections: string[] = []
  const model = createScriptedModel(({ messages: [message] }) => {
    const section = /<section>\n([\s\S]*)\n<\/section>/.exec(message!.content)?.[1]
    if (section !== undefined) sections.push(section)
    return 'A note. \\boxed{It is.}'
  })
  await read({
    question: 'What is it?',
    document: createTextDocument('<s>'.repeat(9000)),
    model,
    tokenizer,
    profile: { ...paperProfile, chunking: 'exact' },
  })
  expect(sections.join('')).toBe('‹s>'.repeat(9000))
  for (const section of sections) expect(tokenizer.count(section)).toBeLessThanOrEqual(5000)
  for (const section of sections.slice(0, -1)) expect(tokenizer.count(section)).toBeGreaterThan(4500)
})
