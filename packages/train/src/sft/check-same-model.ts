/** Weights are valid only under the settings that they were trained with. */
import { ConfigurationError, type HuggingFaceTokenizer } from '@memagent/core'
import type { LlamaConfig } from '@memagent/engine'
import { readerTokens } from './reader-files.ts'

/**
 * `maxPositions` may differ: it limits the length of sequences and affects no computation.
 * @throws ConfigurationError naming every field that differs, with both values
 */
export function checkSameModel(configured: LlamaConfig, start: LlamaConfig, startFrom: string): void {
  const fields = Object.keys(configured) as (keyof LlamaConfig)[]
  const differing = fields.filter((field) => field !== 'maxPositions' && configured[field] !== start[field])
  if (differing.length === 0) return
  const problems = differing.map(
    (field) => `${field} is ${configured[field]} in the configuration and ${start[field]} in the model`,
  )
  throw new ConfigurationError({
    code: 'train/other-model',
    message: `Training cannot start from ${startFrom}: ${problems.join('; ')}.`,
    hint: "Give the model section the start model's own values, or leave startFrom out.",
    details: { problems },
  })
}

/**
 * The trained model gets the chat template of readers, which another tokenizer would take for words.
 * @throws ConfigurationError naming the tokens that it lacks
 */
export function checkReaderTokenizer({ idOf }: Pick<HuggingFaceTokenizer, 'idOf'>, startFrom: string): void {
  const missing = readerTokens.filter((token) => idOf(token) === undefined)
  if (missing.length === 0) return
  throw new ConfigurationError({
    code: 'train/other-tokenizer',
    message: `Training cannot start from ${startFrom}: its tokenizer lacks ${missing.join(' ')}, which mark the parts of a prompt.`,
    hint: 'Start from a model that `train sft` made, or leave startFrom out. `train rl` trains others, with their own tokenizer and template.',
    details: { missing },
  })
}
