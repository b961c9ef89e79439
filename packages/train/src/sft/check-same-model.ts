/** Weights are valid only under the settings that they were trained with. */
import { ConfigurationError } from '@memagent/core'
import type { LlamaConfig } from '@memagent/engine'

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
