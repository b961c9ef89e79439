/**
 * Holds the chat model for GGUF files to the contract of all chat models, with llama.cpp itself and a small model with
 * random weights. Not part of the test suite, since node-llama-cpp is large; installs it by itself.
 *
 *     node --conditions=@memagent/source test/llama-cpp/chat.ts [--llama-cpp FOLDER]
 */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import {
  ChatTemplate,
  createHuggingFaceTokenizer,
  createLlamaCppModel,
  type LlamaCppOptions,
} from '@memagent/core'
import { chatContract } from '@memagent/core/testing'
import { initialWeights, loadModelFolder, toGguf } from '@memagent/engine'
import { loadLlamaCpp } from './load-llama-cpp.ts'
import { bundledFolder, randomModel } from './sample-models.ts'

const { values: options } = parseArgs({ options: { 'llama-cpp': { type: 'string' } } })
const load = () => loadLlamaCpp(options['llama-cpp'])
const folder = mkdtempSync(join(tmpdir(), 'memagent-gguf-chat-'))
const path = join(folder, 'random.gguf')
const source = randomModel()
writeFileSync(path, toGguf(source, { type: 'F32' }))
const create = (more: Partial<LlamaCppOptions> = {}) =>
  createLlamaCppModel({ path, gpu: false, threads: 1, concurrency: 2, load, ...more })
const user = (content: string) => [{ role: 'user' as const, content }]

try {
  const cases = chatContract({
    create: () => create({ contextWindow: 256 }),
    logprobs: true,
    overlong: user('word '.repeat(400)),
    slow: { messages: user('a'), maxTokens: 200 },
  })
  for (const { name, skip, run } of cases) {
    if (skip === undefined) await run()
    console.log(`${skip === undefined ? 'ok  ' : 'skip'} ${name}${skip === undefined ? '' : ` (${skip})`}`)
  }

  const model = await create()
  try {
    assert.deepEqual(await model.describe?.(), { model: path, contextWindow: source.config.maxPositions })
    const template = new ChatTemplate({ tokenizerConfig: source.tokenizerConfig })
    const tokenizer = createHuggingFaceTokenizer(source.tokenizerJson, source.tokenizerConfig)
    const { tokens } = await model.generate(user('Hello there'), { maxTokens: 1 })
    assert.deepEqual(
      tokens?.promptTokens,
      tokenizer.encode(template.render(user('Hello there')), { specialTokens: true }),
    )
    console.log('ok   renders and tokenizes the prompt as the model folder does')

    const call = { maxTokens: 12, temperature: 1, logprobs: true }
    const texts = new Set<string>()
    for (const seed of [1, 2, 3, 4]) {
      const first = await model.generate(user('Hello there'), { ...call, seed })
      const again = await model.generate(user('Hello there'), { ...call, seed })
      assert.deepEqual(again.tokens, first.tokens)
      texts.add(first.text)
    }
    assert.ok(texts.size > 1, 'all seeds gave the same text')
    console.log('ok   samples by the seed')

    const greedy = { maxTokens: 100, temperature: 0 }
    const plain = await model.generate(user('Hello there'), greedy)
    const words = plain.text.split(' ')
    const drafts = {
      'the response itself': plain.text,
      'the response with a part left out': words.toSpliced(words.length >> 1, 2).join(' '),
      'a text of its own': 'Nothing of what the model is going to say.',
    }
    for (const [name, draft] of Object.entries(drafts)) {
      const drafted = await model.generate(user('Hello there'), { ...greedy, draft })
      assert.deepEqual(drafted.tokens, plain.tokens, `with ${name} as a draft`)
    }
    const sampled = { ...greedy, temperature: 1, seed: 5 }
    const [alone, drafted] = [
      await model.generate(user('Hello there'), sampled),
      await model.generate(user('Hello there'), { ...sampled, draft: plain.text }),
    ]
    assert.deepEqual(drafted.tokens, alone.tokens)
    console.log('ok   says the same with and without a draft, greedy or by a seed')
  } finally {
    await model.close()
  }
  await timeDrafts()
} finally {
  rmSync(folder, { recursive: true, force: true })
}

/**
 * How much faster a model with 130 million random weights repeats a draft that it is given; in turn, so that both meet the
 * same machine.
 */
async function timeDrafts(): Promise<void> {
  const small = await loadModelFolder(bundledFolder)
  const size = {
    hiddenSize: 1024,
    intermediateSize: 2816,
    layers: 10,
    heads: 16,
    keyValueHeads: 16,
    headDimension: 64,
  }
  const config = { ...small.config, ...size }
  const file = join(folder, 'large.gguf')
  writeFileSync(file, toGguf({ ...small, config, weights: initialWeights(config, 3) }, { type: 'F16' }))
  const model = await createLlamaCppModel({ path: file, gpu: false, threads: 1, load })
  try {
    const call = { maxTokens: 64, temperature: 0 }
    const { text } = await model.generate(user('Hello there'), call)
    const ratios: number[] = []
    for (let round = 0; round < 5; round++) {
      const [plain, drafted] = [await cpuTime(undefined), await cpuTime(text)]
      ratios.push(drafted / plain)
    }
    const median = ratios.toSorted((a, b) => a - b)[ratios.length >> 1]!
    console.log(`64 tokens whose draft holds take ${median.toFixed(2)} of the processor time without one`)

    async function cpuTime(draft: string | undefined): Promise<number> {
      const before = process.cpuUsage()
      assert.equal((await model.generate(user('Hello there'), { ...call, draft })).text, text)
      const { user: own, system } = process.cpuUsage(before)
      return own + system
    }
  } finally {
    await model.close()
  }
}
