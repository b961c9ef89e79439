/**
 * Averages the weights of several models trained from the same weights (model soups, arXiv 2203.05482). What the runs agree
 * on stays, random differences shrink; it costs nothing at inference.
 */
import { EngineError } from '../errors.ts'
import type { ModelFolder } from './model-folder.ts'

/**
 * @param models at least one; tokenizer and profile are those of the first
 * @throws EngineError for an empty list, and when architecture, tokenizer or chat template differ
 */
export function averageModels(models: readonly ModelFolder[]): ModelFolder {
  const [first, ...others] = models
  if (!first) {
    throw new EngineError({ code: 'engine/average', message: 'There is no model to average.' })
  }
  const same = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)
  others.forEach((other, i) => {
    const differs = !same(other.config, first.config)
      ? 'architecture'
      : !same(other.tokenizerJson, first.tokenizerJson)
        ? 'tokenizer'
        : other.tokenizerConfig.chat_template !== first.tokenizerConfig.chat_template
          ? 'chat template'
          : undefined
    if (!differs) return
    throw new EngineError({
      code: 'engine/average',
      message: `Model ${i + 2} differs from the first one in its ${differs}.`,
      hint: 'Only models that were trained from the same weights can be averaged.',
    })
  })
  const weights = new Map(
    [...first.weights].map(([name, values]) => {
      const all = models.map((model) => model.weights.get(name)!)
      return [name, values.map((_, i) => all.reduce((sum, one) => sum + one[i]!, 0) / all.length)]
    }),
  )
  return { ...first, weights }
}
