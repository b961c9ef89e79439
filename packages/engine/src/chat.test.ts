import { ConfigurationError, OverlongPromptError } from '@memagent/core'
import { chatContract, registerCases } from '@memagent/core/testing'
import { afterAll, beforeAll, describe, expect, it, test, vi } from 'vitest'
import { createEmbeddedChatModel, type EmbeddedChatModel, type EmbeddedChatModelSettings } from './chat.ts'
import { TextGenerator } from './generation/generator.ts'
import { embeddingName, finalNormName, initialWeights, type LlamaConfig } from './models/llama-config.ts'
import { tinyLlama } from './testing/tiny-llama.ts'
import type { ModelFolder } from './weights/model-folder.ts'

const config: LlamaConfig = {
  ...tinyLlama,
  ...{ vocabularySize: 264, hiddenSize: 32, intermediateSize: 48 },
  ...{ headDimension: 8, maxPositions: 512 },
}
const profile = {
  name: 'tiny',
  prompts: 'compact',
  budget: { window: 500, question: 32, chunk: 300, memory: 64, output: 32 },
  sampling: { temperature: 0 },
  chunking: 'natural',
}

/** Every token is a single byte; its id is that byte. */
function byteModel(change: Partial<ModelFolder> = {}): ModelFolder {
  const printable = (byte: number) =>
    (byte >= 33 && byte <= 126) || (byte >= 161 && byte <= 172) || byte >= 174
  let next = 256
  const alphabet = Array.from({ length: 256 }, (_, byte) =>
    String.fromCodePoint(printable(byte) ? byte : next++),
  )
  const added = ['<|pad|>', '<|user|>', '<|assistant|>', '<|end|>', '<section>', '</section>']
  const weights = initialWeights(config, 5)
  weights.get(finalNormName)!.fill(12)
  return {
    config,
    weights,
    tokenizerJson: {
      version: '1.0',
      normalizer: null,
      post_processor: null,
      pre_tokenizer: { type: 'ByteLevel', add_prefix_space: false, use_regex: true },
      decoder: { type: 'ByteLevel' },
      model: { type: 'BPE', vocab: Object.fromEntries(alphabet.map((token, id) => [token, id])), merges: [] },
      added_tokens: added.map((content, i) => ({
        id: 256 + i,
        content,
        special: i < 4,
        single_word: false,
        lstrip: false,
        rstrip: false,
        normalized: false,
      })),
    },
    tokenizerConfig: {
      eos_token: '<|end|>',
      pad_token: '<|pad|>',
      bos_token: null,
      chat_template:
        "{% for message in messages %}{% if message['role'] == 'assistant' %}{{ '<|assistant|>' + message['content'] + '<|end|>' }}" +
        "{% else %}{{ '<|user|>' + message['content'] }}{% endif %}{% endfor %}{% if add_generation_prompt %}{{ '<|assistant|>' }}{% endif %}",
    },
    profile,
    ...change,
  }
}
const create = (settings: EmbeddedChatModelSettings = {}) =>
  createEmbeddedChatModel({ model: byteModel(), ...settings })
const asks = (content: string) => [{ role: 'user' as const, content }]

describe.each([0, 1])('contract, with %i workers', (workers) => {
  registerCases(
    chatContract({
      create: () => create({ workers }),
      overlong: asks('x'.repeat(600)),
      logprobs: true,
      slow: { messages: asks('a'), maxTokens: 500 },
    }),
    test,
  )
})

describe('createEmbeddedChatModel', () => {
  let model: EmbeddedChatModel
  beforeAll(async () => {
    model = await create()
  })
  afterAll(() => model.close())

  it('renders the template and knows the exact tokens', async () => {
    expect(model.promptTokens(asks('hi'))).toEqual([257, 104, 105, 258])
    const { tokens, usage, text } = await model.generate(asks('hi'), { maxTokens: 5 })
    const { promptTokens, responseTokens } = tokens!
    expect(promptTokens).toEqual(model.promptTokens(asks('hi')))
    expect(usage).toEqual({ promptTokens: 4, completionTokens: responseTokens.length })
    const ended = responseTokens.at(-1) === 259
    expect(text).toBe(model.tokenizer.decode(ended ? responseTokens.slice(0, -1) : responseTokens))
    expect(model.countPromptTokens(asks('hi'))).toBe(4)
  })

  it('reports the numbers for an overlong prompt', async () => {
    const error = await model.generate(asks('x'.repeat(500)), { maxTokens: 32 }).catch((thrown) => thrown)
    expect(error).toBeInstanceOf(OverlongPromptError)
    expect(error.details).toEqual({ promptTokens: 502, maxTokens: 32, window: 512 })
  })

  it('samples the same with any draft', async () => {
    for (const temperature of [0, 1]) {
      for (let seed = 0; seed < 5; seed++) {
        const call = { maxTokens: 20, temperature, seed }
        const plain = await model.generate(asks(`question ${seed}`), call)
        for (const draft of [
          plain.text,
          plain.text.slice(0, 4),
          'something else',
          '',
          `${plain.text} and more`,
        ]) {
          expect(await model.generate(asks(`question ${seed}`), { ...call, draft })).toEqual(plain)
        }
      }
    }
  })

  it("drafts the template's rendering of an answer, end included", async () => {
    const generate = vi.spyOn(TextGenerator.prototype, 'generate')
    await model.generate(asks('q'), { maxTokens: 9, draft: ' kept' })
    expect(generate.mock.calls[0]![0][0]!.draftTokens).toEqual([...Buffer.from(' kept'), 259])
    generate.mockRestore()
  })

  it('knows its name, window, profile and log-probabilities', async () => {
    expect(model.name).toBe('embedded:tiny')
    expect(await model.describe!()).toEqual({ model: 'embedded:tiny', contextWindow: 512 })
    expect(model.profile).toMatchObject({
      name: 'tiny',
      budget: { window: 500 },
      sampling: { temperature: 0 },
    })
    expect(model.profile!.prompts).toBe('compact')
    const { logprobs, tokens } = await model.generate(asks('x'), { maxTokens: 6, logprobs: true })
    expect(logprobs!.map(({ id }) => id)).toEqual(tokens!.responseTokens)
    for (const { logprob } of logprobs!) expect(logprob).toBeLessThan(0)
  })

  it('is identified by every number of its weights', async () => {
    const identityOf = async (weights: ModelFolder['weights']) => {
      const model = await createEmbeddedChatModel({ model: byteModel({ weights }) })
      await model.close()
      return [await model.identity!(), await model.weights!()]
    }
    const { weights } = byteModel()
    const before = await identityOf(weights)
    expect(await identityOf(byteModel().weights)).toEqual(before)
    weights.get(embeddingName)![1]! += 1
    const [identity, digest] = await identityOf(weights)
    expect(identity).not.toBe(before[0])
    expect(digest).not.toBe(before[1])
  })

  it('ends before a stop text', async () => {
    const { text } = await model.generate(asks('q'), { maxTokens: 30, temperature: 1, seed: 4 })
    const stop = text.slice(5, 8)
    const stopped = await model.generate(asks('q'), {
      maxTokens: 30,
      temperature: 1,
      seed: 4,
      stop: ['~~~~', stop],
    })
    expect(stopped.text).toBe(text.slice(0, text.indexOf(stop)))
    expect(stopped.finishReason.unified).toBe('stop')
  })

  it('samples afresh on every call without a seed, from its own source of randomness', async () => {
    let draws = 0
    const seeded = await create({ random: () => [0.1, 0.9, 0.1][draws++ % 3]! })
    const call = { maxTokens: 20, temperature: 1 }
    const texts: string[] = []
    for (let i = 0; i < 3; i++) texts.push((await seeded.generate(asks('q'), call)).text)
    expect(texts[0]).not.toBe(texts[1])
    expect(texts[0]).toBe(texts[2])
    await seeded.close()
  })

  it.each([
    [
      { ...profile, budget: { ...profile.budget, chunk: 0 } },
      'budget.chunk cannot be 0 (it takes a whole number of at least 1)',
    ],
    [
      { ...profile, budget: undefined },
      'budget is missing (it takes the fields window, question, chunk, memory, output)',
    ],
    [{ ...profile, name: '' }, 'name cannot be "" (it takes'],
    [{ ...profile, prompts: { update: 3 } }, 'prompts holds no prompts:\n  update: a text is wanted'],
    [
      { ...profile, sampling: { temperature: -1 } },
      'sampling.temperature cannot be -1 (it takes a number from 0 to 100)',
    ],
    [{ ...profile, chunking: 'random' }, 'chunking cannot be "random" (it takes "natural" or "exact")'],
  ])('refuses a profile that is wrong: %#', async (wrong, message) => {
    await expect(createEmbeddedChatModel({ model: byteModel({ profile: wrong }) })).rejects.toThrow(message)
  })

  it.each([
    ['maxBatch', 0],
    ['maxBatch', 0.5],
    ['maxBatch', Number.NaN],
    ['threads', -1],
    ['threads', 257],
    ['workers', 0.5],
    ['workers', -1],
  ])('refuses a wrong number of %s: %d', async (option, value) => {
    await expect(create({ [option]: value })).rejects.toMatchObject({
      code: 'engine/bad-option',
      message: expect.stringContaining(`${option} is ${value}`),
    })
  })

  it('rejects a tokenizer without an end token', async () => {
    const tokenizerConfig = { ...byteModel().tokenizerConfig, eos_token: null }
    await expect(createEmbeddedChatModel({ model: byteModel({ tokenizerConfig }) })).rejects.toThrow(
      'eos_token',
    )
  })
})

it.each([
  ['a role of a tool', [{ role: 'tool', content: 'x' }], {}, 'chat/bad-message'],
  ['a content that is no text', [{ role: 'user', content: 5 }], {}, 'chat/bad-message'],
  [
    'a temperature that is no number',
    [{ role: 'user', content: 'x' }],
    { temperature: Number.NaN },
    'chat/bad-sampling',
  ],
  ['an empty stop text', [{ role: 'user', content: 'x' }], { stop: ['.', ''] }, 'chat/bad-stop'],
])('refuses %s as every backend does', async (_, messages, sampling, code) => {
  const model = await createEmbeddedChatModel({ model: byteModel() })
  const call = model.generate(messages as never, { maxTokens: 1, ...sampling })
  await expect(call).rejects.toThrow(ConfigurationError)
  await expect(call).rejects.toMatchObject({ code })
  await model.close()
})

it('says that it was given no model', async () => {
  await expect(createEmbeddedChatModel({} as never)).rejects.toMatchObject({
    code: 'engine/no-model',
    message: expect.stringContaining('{ folder } or { model }'),
  })
})
