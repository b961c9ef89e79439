/** Checks gradients before they reach an engine. */
import { ConfigurationError } from '@memagent/core'
import type { TokenSequence } from './policy.ts'

/** @throws ConfigurationError naming the sequence and token whose gradient is missing or not finite */
export function checkGradients(
  sequences: readonly TokenSequence[],
  gradients: readonly Float32Array[],
): void {
  if (gradients.length !== sequences.length) {
    throw new ConfigurationError({
      code: 'train/gradients',
      message: `There are ${gradients.length} gradients for ${sequences.length} sequences.`,
    })
  }
  sequences.forEach(({ responseTokens }, i) => {
    const gradient = gradients[i]!
    const at = gradient.findIndex((value) => !Number.isFinite(value))
    if (gradient.length === responseTokens.length && at < 0) return
    throw new ConfigurationError({
      code: 'train/gradients',
      message:
        at < 0
          ? `Sequence ${i} has ${responseTokens.length} response tokens and ${gradient.length} gradients.`
          : `The gradient of sequence ${i} at response token ${at} is ${gradient[at]}.`,
      hint: 'A gradient that is not finite would destroy the weights; look for ratios or rewards that overflow.',
    })
  })
}
