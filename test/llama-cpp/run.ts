/**
 * Holds the GGUF export to llama.cpp: the same tokens, the same next-token distribution at every step, the same greedy
 * text. Not part of the test suite, since node-llama-cpp is large; installs it by itself.
 *
 *     npm run test:llama-cpp [-- --llama-cpp FOLDER --model FOLDER ...]
 */
import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { ChatTemplate, createHuggingFaceTokenizer } from '@memagent/core'
import { loadModelFolder, type ModelFolder, TextGenerator, toGguf } from '@memagent/engine'
import { type LlamaSequence, loadLlamaCpp } from './load-llama-cpp.ts'
import { bundledFolder, randomModel, texts } from './sample-models.ts'

const { values: options } = parseArgs({
  options: { 'llama-cpp': { type: 'string' }, model: { type: 'string', multiple: true } },
})
const greedyTokens = 64

const { getLlama } = await loadLlamaCpp(options['llama-cpp'])
const llama = await getLlama({ gpu: false, build: 'never', logLevel: 'error', progressLogs: false })
const folder = mkdtempSync(join(tmpdir(), 'memagent-gguf-'))
try {
  await compare('random weights, F32', randomModel(), 'F32', 1e-4)
  // llama.cpp rounds the other factor of each product to half precision too, so the distributions differ by that.
  await compare('random weights, F16', randomModel(), 'F16', 1e-2)
  for (const place of options.model ?? [bundledFolder]) {
    if (!existsSync(join(place, 'model.safetensors'))) console.log(`${place} has no weights to compare.`)
    else await compare(`${place}, F32`, await loadModelFolder(place), 'F32', 1e-3)
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
  await llama.dispose()
}

async function compare(
  label: string,
  model: ModelFolder,
  type: 'F32' | 'F16',
  tolerance: number,
): Promise<void> {
  const file = join(folder, 'model.gguf')
  writeFileSync(file, toGguf(model, { type }))
  const llamaModel = await llama.loadModel({ modelPath: file })
  const context = await llamaModel.createContext({
    contextSize: model.config.maxPositions,
    threads: 2,
    flashAttention: false,
    experimentalKvCacheKeyType: 'F32',
    experimentalKvCacheValueType: 'F32',
  })
  const sequence = context.getSequence()
  const generator = await TextGenerator.create(model.config, model.weights)
  const tokenizer = createHuggingFaceTokenizer(model.tokenizerJson, model.tokenizerConfig)
  const template = new ChatTemplate({ tokenizerConfig: model.tokenizerConfig })
  const end = tokenizer.idOf(String(model.tokenizerConfig.eos_token))!
  assert.ok(llamaModel.isEogToken(end), 'llama.cpp does not know the end token')

  let worst = 0
  let steps = 0
  for (const text of texts) {
    assert.deepEqual(
      llamaModel.tokenize(text, false),
      tokenizer.encode(text),
      `${label}: tokens of ${JSON.stringify(text)}`,
    )
    const prompt = template.render([{ role: 'user', content: `<section>${text.slice(0, 600)}</section>` }])
    const tokens = tokenizer.encode(prompt, { specialTokens: true })
    assert.deepEqual(llamaModel.tokenize(prompt, true), tokens, `${label}: tokens of the prompt`)
    const [result] = await generator.generate([
      { promptTokens: tokens, maxTokens: greedyTokens, stopTokens: [] },
    ])
    const response = result!.tokens
    await sequence.clearHistory()
    const theirs = await distributionsAlong(sequence, tokens, response)
    const ours = await ourDistributions(generator, tokens, response)
    for (const [i, distribution] of theirs.entries()) {
      worst = Math.max(worst, ...distribution.map((p, token) => Math.abs(p - ours[i]![token]!)))
      steps++
    }
    if (type === 'F32') {
      const greedy = theirs.map((distribution) => distribution.indexOf(Math.max(...distribution)))
      assert.deepEqual(greedy, response, `${label}: the greedy response`)
    }
  }
  console.log(
    `${label}: ${texts.length} prompts, ${steps} steps, largest difference of a probability ${worst.toExponential(2)}`,
  )
  assert.ok(worst < tolerance, `${label}: probabilities differ by ${worst}`)
  await generator.release()
  await context.dispose()
  await llamaModel.dispose()
}

/** Next-token distributions after the prompt and after each token of the response but the last. */
async function ourDistributions(
  generator: TextGenerator,
  prompt: readonly number[],
  response: readonly number[],
): Promise<number[][]> {
  const rows = await generator.nextTokenLogprobs(prompt, response.slice(0, -1))
  return rows.map((logprobs) => Array.from(logprobs, Math.exp))
}

async function distributionsAlong(
  sequence: LlamaSequence,
  prompt: readonly number[],
  response: readonly number[],
): Promise<number[][]> {
  const withLogits = (token: number): [number, { generateNext: { logits: true } }] => [
    token,
    { generateNext: { logits: true } },
  ]
  const outputs = await sequence.controlledEvaluate([
    ...prompt.slice(0, -1),
    ...[prompt.at(-1)!, ...response.slice(0, -1)].map(withLogits),
  ])
  return outputs.slice(prompt.length - 1).map((output) => softmax(output!.next.logits!))
}

function softmax(logits: ReadonlyMap<number, number>): number[] {
  const highest = Math.max(...logits.values())
  const weights = new Array<number>(logits.size).fill(0)
  let total = 0
  for (const [token, logit] of logits) {
    weights[token] = Math.exp(logit - highest)
    total += weights[token]
  }
  return weights.map((weight) => weight / total)
}
