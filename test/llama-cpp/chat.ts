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
import { toGguf } from '@memagent/engine'
import { loadLlamaCpp } from './load-llama-cpp.ts'
import { randomModel } from './sample-models.ts'

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
    const { promptTokenIds } = await model.generate(user('Hello there'), { maxTokens: 1 })
    assert.deepEqual(
      promptTokenIds,
      tokenizer.encode(template.render(user('Hello there')), { specialTokens: true }),
    )
    console.log('ok   renders and tokenizes the prompt as the model folder does')

    const call = { maxTokens: 12, temperature: 1, logprobs: true }
    const texts = new Set<string>()
    for (const seed of [1, 2, 3, 4]) {
      const first = await model.generate(user('Hello there'), { ...call, seed })
      const again = await model.generate(user('Hello there'), { ...call, seed })
      assert.deepEqual(again.responseTokenIds, first.responseTokenIds)
      texts.add(first.text)
    }
    assert.ok(texts.size > 1, 'all seeds gave the same text')
    console.log('ok   samples by the seed')
  } finally {
    await model.close()
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
