/** Reads prompts that share a trunk: the trunk once, then the rest of each, several at once. */

import type { LlamaConfig } from '../models/llama-config.ts'
import { type InferenceSession, Tensor } from '../onnx/runtime.ts'
import { tensorOfIntegers } from '../onnx/tensor-of-integers.ts'
import { cacheName } from './decoder-parts.ts'
import type { Family } from './families.ts'
import { emptyCaches, type Growing, type KeyValueStore, type Trunk } from './key-value-store.ts'
import { readTrunk } from './prefill.ts'
import type { Sequence } from './sequence.ts'
import { distributionNames, masked, toDistributions } from './tensors.ts'

/** Tokens per pass besides the trunk, padding included. */
const tokensPerPass = 2048

/** Like `prefill`, for a family with a trunk. */
export async function readFamily<T extends Sequence>(
  sessions: { readonly prefill: InferenceSession; readonly extend: InferenceSession },
  config: LlamaConfig,
  { trunkLength, members }: Family<T>,
): Promise<Growing<T>[]> {
  const trunk = await readTrunk(sessions.prefill, config, members[0]!, trunkLength)
  const ownLength = (member: T) => member.promptTokens.length - trunkLength + member.draftTokensRead
  const byLength = [...members].sort((a, b) => ownLength(b) - ownLength(a))
  const stored: Growing<T>[] = []
  for (let at = 0; at < byLength.length; ) {
    const T = ownLength(byLength[at]!)
    const pass = byLength.slice(at, at + Math.max(1, Math.floor(tokensPerPass / T)))
    stored.push(...(await extend(sessions.extend, config, trunk, pass, T)))
    at += pass.length
  }
  return stored
}

async function extend<S extends Sequence>(
  session: InferenceSession,
  config: LlamaConfig,
  trunk: Trunk,
  pass: readonly S[],
  T: number,
): Promise<Growing<S>[]> {
  const { heads: H, keyValueHeads: K, headDimension: E, layers } = config
  const P = trunk.length
  const B = pass.length
  const M = (T * H) / K
  const tokens = new Array<number>(B * T).fill(0)
  const headRows: number[] = []
  const sharpness: number[] = []
  const firstRows: number[] = []
  pass.forEach((sequence, b) => {
    const { promptTokens, draft, draftTokensRead } = sequence
    const own = promptTokens.length - P
    for (let i = 0; i < own; i++) tokens[b * T + i] = promptTokens[P + i]!
    for (let i = 0; i < draftTokensRead; i++) tokens[b * T + own + i] = draft[i]!
    firstRows.push(headRows.length)
    for (let r = 0; r <= draftTokensRead; r++) {
      headRows.push(b * T + own - 1 + r)
      sharpness.push(sequence.sharpness)
    }
  })
  const mask = new Float32Array(M * T)
  for (let row = 0; row < M; row++) mask.fill(masked, row * T + (row % T) + 1, (row + 1) * T)
  const feeds: Record<string, Tensor> = {
    tokens: tensorOfIntegers(tokens, [B, T]),
    start: tensorOfIntegers([P], [1]),
    mask: new Tensor('float32', mask, [M, T]),
    lengths: tensorOfIntegers([P, T], [2]),
    scoreShape: tensorOfIntegers([K, B, M, P], [4]),
    mixedShape: tensorOfIntegers([K, B, M, E], [4]),
    headRows: tensorOfIntegers(headRows, [headRows.length]),
    sharpness: new Tensor('float32', Float32Array.from(sharpness), [sharpness.length, 1]),
  }
  const names = [...distributionNames(pass)]
  for (let layer = 0; layer < layers; layer++) {
    feeds[cacheName(layer, 'key', 'prompt')] = trunk.keys[layer]!
    feeds[cacheName(layer, 'value', 'prompt')] = trunk.values[layer]!
    names.push(cacheName(layer, 'key', 'next'), cacheName(layer, 'value', 'next'))
  }
  const outputs = await session.run(feeds, names)
  const distributions = toDistributions(outputs, config)
  const ownOf = (part: 'key' | 'value') =>
    Array.from({ length: layers }, (_, layer) => outputs[cacheName(layer, part, 'next')]!)
  const nothing = emptyCaches(config, B)
  const store: KeyValueStore = {
    trunk,
    promptLength: 0,
    promptKeys: nothing,
    promptValues: nothing,
    recentLength: T,
    recentKeys: ownOf('key'),
    recentValues: ownOf('value'),
  }
  return pass.map((sequence, row) => {
    sequence.takeDraft(distributions, firstRows[row]!)
    // The last token sampled is not cached yet; draft tokens after the first wrong one no longer count.
    const recentLength = sequence.promptTokens.length - P + sequence.tokens.length - 1
    return { sequence, store, row, promptLength: 0, recentLength }
  })
}
