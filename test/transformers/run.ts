/**
 * Holds saved model folders to transformers: names and shapes that `LlamaForCausalLM` loads without complaint, the same
 * tokens, the same chat template, the same log-probabilities, the same greedy text. Not part of the test suite, since
 * it needs Python with `requirements.txt`.
 *
 *     npm run test:transformers -- --python .venv/bin/python [--model FOLDER ...]
 */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { ChatTemplate, createHuggingFaceTokenizer } from '@memagent/core'
import { loadModelFolder, saveModelFolder, TextGenerator } from '@memagent/engine'
import { bundledFolder, randomModel, texts } from '../llama-cpp/sample-models.ts'

const { values: options } = parseArgs({
  options: { python: { type: 'string', default: 'python3' }, model: { type: 'string', multiple: true } },
})
const greedyTokens = 64
const folder = mkdtempSync(join(tmpdir(), 'memagent-transformers-'))
try {
  for (const dtype of ['F32', 'BF16', 'F16'] as const) {
    await saveModelFolder(folder, randomModel(), { dtype })
    await compare(`random weights, ${dtype}`)
  }
  for (const place of options.model ?? [bundledFolder]) {
    if (!existsSync(join(place, 'model.safetensors'))) {
      console.log(`${place} has no weights to compare.`)
      continue
    }
    cpSync(place, folder, { recursive: true })
    await compare(place)
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}

async function compare(label: string): Promise<void> {
  const model = await loadModelFolder(folder)
  const generator = await TextGenerator.create(model.config, model.weights)
  const tokenizer = createHuggingFaceTokenizer(model.tokenizerJson, model.tokenizerConfig)
  const template = new ChatTemplate({ tokenizerConfig: model.tokenizerConfig })
  const cases: object[] = []
  for (const text of texts) {
    const content = `<section>${text.slice(0, 600)}</section>`
    const prompt = template.render([{ role: 'user', content }])
    const promptTokens = tokenizer.encode(prompt, { specialTokens: true })
    const [result] = await generator.generate([{ promptTokens, maxTokens: greedyTokens, stopTokens: [] }])
    const response = result!.tokens
    const logprobs = await generator.nextTokenLogprobs(promptTokens, response.slice(0, -1))
    cases.push({
      text,
      textTokens: tokenizer.encode(text),
      content,
      promptTokens,
      response,
      logprobs: logprobs.map((row) => [...row]),
    })
  }
  await generator.release()
  const endToken = tokenizer.idOf(String(model.tokenizerConfig.eos_token))
  writeFileSync(join(folder, 'cases.json'), JSON.stringify({ label, endToken, tolerance: 1e-4, cases }))
  const { status } = spawnSync(options.python, [join(import.meta.dirname, 'check.py'), folder], {
    stdio: 'inherit',
  })
  assert.equal(status, 0, `${label}: transformers disagrees`)
}
