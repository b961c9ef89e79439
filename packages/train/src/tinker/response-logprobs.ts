/** Reduces the per-token results of a training call to what was requested. */
import type { TokenSequence } from '../policy/policy.ts'
import type { DatumGroup } from './datum.ts'
import { protocolError, TinkerError } from './errors.ts'
import type { LossOutput } from './wire.ts'

/** Extracts the responses' log-probabilities from those of all targets. @throws TinkerError naming a sequence that lacks them */
export function responseLogprobs(
  { items, from }: DatumGroup<TokenSequence>,
  { loss_fn_outputs }: LossOutput,
): Float32Array[] {
  if (loss_fn_outputs.length !== items.length) {
    throw protocolError(`The server returned ${loss_fn_outputs.length} results for ${items.length} datums.`)
  }
  return items.map(({ promptTokens, responseTokens }, i) => {
    const { data } = loss_fn_outputs[i]!.logprobs
    const expected = promptTokens.length + responseTokens.length - 1
    if (data.length !== expected) {
      throw protocolError(
        `Sequence ${from + i} has ${expected} targets and the server gave ${data.length} log-probabilities.`,
      )
    }
    const own = data.slice(promptTokens.length - 1)
    const at = own.findIndex((value) => value === null || !Number.isFinite(value))
    if (at >= 0) {
      throw new TinkerError({
        code: 'tinker/not-finite',
        message: `The server gave ${own[at]} as the log-probability of response token ${at} of sequence ${from + i}.`,
        hint: 'The weights may have been destroyed. Resume from an earlier state with a lower learning rate.',
      })
    }
    return Float32Array.from(own as number[])
  })
}
