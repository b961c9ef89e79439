import { describe, expect, it } from 'vitest'
import { initialWeights, type LlamaConfig } from '../models/llama-config.ts'
import { tinyLlama } from '../testing/tiny-llama.ts'
import { averageModels } from './average-models.ts'
import type { ModelFolder } from './model-folder.ts'

const config: LlamaConfig = {
  ...tinyLlama,
  ...{ vocabularySize: 11, hiddenSize: 8, intermediateSize: 12 },
  ...{ layers: 1, heads: 2, keyValueHeads: 1, headDimension: 4, maxPositions: 16 },
}
const model = (seed: number, parts: Partial<ModelFolder> = {}): ModelFolder => ({
  config,
  weights: initialWeights(config, seed),
  tokenizerJson: { model: 'a' },
  tokenizerConfig: {},
  profile: { name: `model ${seed}` },
  ...parts,
})

describe('averageModels', () => {
  it('takes the mean of every number, and the rest from the first', () => {
    const models = [1, 2, 3].map((seed) => model(seed))
    const average = averageModels(models)
    for (const [name, values] of average.weights) {
      values.forEach((value, i) => {
        const [a, b, c] = models.map(({ weights }) => weights.get(name)![i]!)
        expect(value).toBeCloseTo((a! + b! + c!) / 3, 6)
      })
    }
    expect(average.profile).toEqual({ name: 'model 1' })
    expect(averageModels([models[1]!]).weights).toEqual(models[1]!.weights)
  })

  it('rejects models that do not belong together', () => {
    const wide = model(2, { config: { ...config, layers: 2 } })
    expect(() => averageModels([model(1), wide])).toThrow(
      /Model 2 differs from the first one in its architecture/,
    )
    const other = model(3, { tokenizerJson: { model: 'b' } })
    expect(() => averageModels([model(1), model(2), other])).toThrow(/Model 3 .* tokenizer/)
    const templated = model(2, { tokenizerConfig: { chat_template: 'x' } })
    expect(() => averageModels([model(1), templated])).toThrow(/Model 2 .* chat template/)
    expect(() => averageModels([])).toThrow(/no model/)
  })
})
