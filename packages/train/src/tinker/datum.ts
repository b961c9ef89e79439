/**
 * Turns token sequences into the protocol's training examples. The response token at index t of the sequence is the target
 * of the input token before it, so all arrays are one shorter than the sequence and shifted by one.
 *
 * The gradient of an arbitrary loss L(p) travels as `importance_sampling`, whose loss is -exp(p - q) A: with q the
 * current log-probability p and A = -dL/dp it has exactly the gradient of L, with any sign, and the mask stays 0 or 1.
 */
import { ConfigurationError } from '@memagent/core'
import type { TokenSequence } from '../policy/policy.ts'
import type { ServerProfile } from './profiles.ts'
import { type Datum, encodedText, type TensorData } from './wire.ts'

type Masking = Pick<ServerProfile, 'maskKey'>
type Scaling = Pick<ServerProfile, 'maskKey' | 'reduction'>

/** @throws ConfigurationError naming a sequence without a prompt or response, or with an invalid token */
export function checkSequences(sequences: readonly TokenSequence[]): void {
  sequences.forEach(({ promptTokens, responseTokens }, i) => {
    if (promptTokens.length === 0 || responseTokens.length === 0) {
      throw new ConfigurationError({
        code: 'tinker/sequence',
        message: `Sequence ${i} has ${promptTokens.length} prompt tokens and ${responseTokens.length} response tokens; both must be at least 1.`,
      })
    }
    const bad = [...promptTokens, ...responseTokens].find((token) => !Number.isInteger(token) || token < 0)
    if (bad === undefined) return
    throw new ConfigurationError({
      code: 'tinker/sequence',
      message: `Sequence ${i} has the token ${bad}; tokens are integers from 0.`,
    })
  })
}

/** For log-probabilities only: cross entropy of the response tokens. */
export function forwardDatum(sequence: TokenSequence, { maskKey }: Masking): Datum {
  const { input, targets, mask } = align(sequence)
  // Cross entropy names its mask `weights` everywhere.
  return {
    model_input: encodedText(input),
    loss_fn_inputs: {
      target_tokens: integers(targets),
      weights: floats(mask),
      ...(maskKey && maskKey !== 'weights' ? { [maskKey]: floats(mask) } : {}),
    },
  }
}

/**
 * @param logprobs [responseTokens.length] the current ones, from `forward`
 * @param gradient [responseTokens.length] d loss / d logprob
 * @param datums N, the number in the whole optimizer batch, however it is split. With `datum-mean` the server divides by the
 * masked tokens of the datum and by N, which is undone here
 */
export function gradientDatum(
  sequence: TokenSequence,
  logprobs: Float32Array,
  gradient: Float32Array,
  datums: number,
  { maskKey, reduction }: Scaling,
): Datum {
  const { input, targets, mask } = align(sequence)
  const scale = reduction === 'datum-mean' ? gradient.length * datums : 1
  const start = targets.length - gradient.length
  const onResponse = (valueAt: (t: number) => number) =>
    targets.map((_, i) => (i < start ? 0 : valueAt(i - start)))
  return {
    model_input: encodedText(input),
    loss_fn_inputs: {
      target_tokens: integers(targets),
      logprobs: floats(onResponse((t) => logprobs[t]!)),
      // `0 -` avoids -0, which protobuf can represent and JSON cannot.
      advantages: floats(onResponse((t) => 0 - gradient[t]! * scale)),
      ...(maskKey ? { [maskKey]: floats(mask) } : {}),
    },
  }
}

export interface DatumGroup<Item> {
  /** Index of its first item. */
  readonly from: number
  readonly items: readonly Item[]
  /** Upper bound on the size of its datums in JSON, computed without encoding them. */
  readonly bytes: number
}

/**
 * Splits into consecutive groups of at most `maxDatums` datums and about `maxBytes` of JSON, before any is built. A larger
 * datum gets a group of its own.
 */
export function splitDatums<Item extends TokenSequence>(
  items: readonly Item[],
  kind: 'forward' | 'gradient',
  { maskKey, maxDatums, maxBytes }: Pick<ServerProfile, 'maskKey' | 'maxDatums' | 'maxBytes'>,
): DatumGroup<Item>[] {
  const masks = maskKey && (kind === 'gradient' || maskKey !== 'weights') ? 1 : 0
  const floatArrays = (kind === 'gradient' ? 2 : 1) + masks
  const groups: { from: number; items: Item[]; bytes: number }[] = []
  for (const [from, item] of items.entries()) {
    const size = bytesOf(item, floatArrays)
    const last = groups.at(-1)
    if (last && last.bytes + size <= maxBytes && last.items.length < maxDatums) {
      last.items.push(item)
      last.bytes += size
    } else groups.push({ from, items: [item], bytes: size })
  }
  return groups
}

/** Digits of a token, of a double, and their commas. */
function bytesOf({ promptTokens, responseTokens }: TokenSequence, floatArrays: number): number {
  const length = promptTokens.length + responseTokens.length - 1
  return 2 * 8 * length + floatArrays * 24 * length + 100 * (2 + floatArrays)
}

function align({ promptTokens, responseTokens }: TokenSequence) {
  const all = [...promptTokens, ...responseTokens]
  const targets = all.slice(1)
  return {
    input: all.slice(0, -1),
    targets,
    mask: targets.map((_, i) => (i < promptTokens.length - 1 ? 0 : 1)),
  }
}

const integers = (data: readonly number[]): TensorData => ({ data, dtype: 'int64', shape: [data.length] })
const floats = (data: readonly number[]): TensorData => ({ data, dtype: 'float32', shape: [data.length] })
