/** Reads prompts (and the drafts after them), several of similar length at once. */

import type { LlamaConfig } from '../models/llama-config.ts'
import { type InferenceSession, Tensor } from '../onnx/runtime.ts'
import { tensorOfIntegers } from '../onnx/tensor-of-integers.ts'
import { blockCount, cacheName } from './decoder-parts.ts'
import { emptyCaches, type Growing, type KeyValueStore, type Trunk } from './key-value-store.ts'
import { endName, limitName } from './prefill-graph.ts'
import type { Distributions, Sequence } from './sequence.ts'
import { distributionNames, masked, toDistributions } from './tensors.ts'

/** Tokens per pass, padding included, unless a single sequence has more: enough to keep the cores busy. */
const tokensPerPass = 1024
/** Limits of scores relative to a token's score with itself: for later tokens (weight at most e^-35) and for visible ones. */
const [hidden, unlimited] = [-35, 3e38]
/** A shorter sequence joins a pass if it fills this share of a row. */
const leastFill = 0.85

/**
 * Least probability of each token in a draft that integers confirm. When being the likeliest was enough, float32 would have
 * chosen another token often enough to cost one answer in a hundred; this costs none, and a tenth more time.
 */
const leastLogprob = Math.log(0.95)

const tokensRead = (sequence: Prompt) => sequence.promptTokens.length + sequence.draftTokensRead

/** Splits sequences into passes with little padding. */
export function planPasses<T extends Sequence>(sequences: readonly T[]): T[][] {
  const passes: T[][] = []
  const byLength = [...sequences].sort((a, b) => tokensRead(b) - tokensRead(a))
  for (const sequence of byLength) {
    const pass = passes.at(-1)
    const longest = pass ? tokensRead(pass[0]!) : 0
    if (pass && tokensRead(sequence) >= leastFill * longest && (pass.length + 1) * longest <= tokensPerPass) {
      pass.push(sequence)
    } else {
      passes.push([sequence])
    }
  }
  return passes
}

/** Keys and values of the first `length` tokens of a prompt, a multiple of `blockCount`. */
export async function readTrunk(
  session: InferenceSession,
  config: LlamaConfig,
  { promptTokens }: Pick<Sequence, 'promptTokens'>,
  length: number,
): Promise<Trunk> {
  const trunk = { promptTokens: Array.from(promptTokens).slice(0, length), draft: [], draftTokensRead: 0 }
  const { feeds } = prefillFeeds([{ ...trunk, sharpness: 1 }], config)
  const layers = Array.from({ length: config.layers }, (_, layer) => layer)
  const namesOf = (part: 'key' | 'value') => layers.map((layer) => cacheName(layer, part, 'prompt'))
  const outputs = await session.run(feeds, [...namesOf('key'), ...namesOf('value')])
  return {
    length,
    keys: namesOf('key').map((name) => outputs[name]!),
    values: namesOf('value').map((name) => outputs[name]!),
  }
}

/**
 * Gives every sequence its first token, and as much of its draft as was right.
 * @returns the sequences that are still growing, with their caches
 */
export async function prefill<T extends Sequence>(
  session: InferenceSession,
  config: LlamaConfig,
  pass: readonly T[],
): Promise<Growing<T>[]> {
  const { feeds, firstRows } = prefillFeeds(pass, config)
  const outputs = await session.run(feeds, [...distributionNames(pass), ...promptCacheNames(config)])
  takeDrafts(pass, toDistributions(outputs, config), firstRows)
  return stored(pass, outputs, config)
}

/**
 * Like `prefill`, in a graph that returns no caches: when whole drafts hold, nothing is left to generate, so only the
 * sequences whose drafts failed are read again for their caches.
 */
export async function verify<T extends Sequence>(
  sessions: { readonly verify: InferenceSession; readonly prefill: InferenceSession },
  config: LlamaConfig,
  pass: readonly T[],
): Promise<Growing<T>[]> {
  const { feeds, firstRows } = prefillFeeds(pass, config)
  const read = await sessions.verify.run(feeds, distributionNames(pass))
  takeDrafts(pass, toDistributions(read, config), firstRows)
  const growing = pass.filter(({ isDone }) => !isDone)
  if (growing.length === 0) return []
  const outputs = await sessions.prefill.run(prefillFeeds(growing, config).feeds, promptCacheNames(config))
  return stored(growing, outputs, config)
}

/**
 * Reads the prompt and the draft in a graph that returns no caches. Completes a greedy response that is the whole draft; any
 * other, or one that the graph is not sure of, is left unchanged for a more exact graph.
 * @returns whether the response is complete
 */
export async function confirmDraft(
  session: InferenceSession,
  config: LlamaConfig,
  sequence: Sequence,
): Promise<boolean> {
  const { feeds } = prefillFeeds([sequence], config)
  const outputs = await session.run(feeds, ['best', 'logprobs'])
  const logprobs = outputs.logprobs!.data as Float32Array
  const isSure = (token: number, row: number) =>
    logprobs[row * config.vocabularySize + token]! >= leastLogprob
  const distributions = toDistributions(outputs, config)
  const holds = sequence.draft.every(isSure)
  if (holds) sequence.takeDraft(distributions, 0)
  return holds
}

function takeDrafts(
  pass: readonly Sequence[],
  distributions: Distributions,
  firstRows: readonly number[],
): void {
  pass.forEach((sequence, row) => {
    sequence.takeDraft(distributions, firstRows[row]!)
  })
}

const promptCacheNames = (config: LlamaConfig): string[] =>
  Array.from({ length: config.layers }, (_, layer) => layer).flatMap((layer) => [
    cacheName(layer, 'key', 'prompt'),
    cacheName(layer, 'value', 'prompt'),
  ])

/** The sequences of a pass that are still growing, with their caches. */
function stored<T extends Sequence>(
  pass: readonly T[],
  outputs: InferenceSession.ReturnType,
  config: LlamaConfig,
): Growing<T>[] {
  const recent = emptyCaches(config, pass.length)
  const layers = Array.from({ length: config.layers }, (_, layer) => layer)
  const store: KeyValueStore = {
    promptLength: outputs[cacheName(0, 'value', 'prompt')]!.dims[2]!,
    recentLength: 0,
    promptKeys: layers.map((layer) => outputs[cacheName(layer, 'key', 'prompt')]!),
    promptValues: layers.map((layer) => outputs[cacheName(layer, 'value', 'prompt')]!),
    recentKeys: recent,
    recentValues: recent,
  }
  return pass.flatMap((sequence, row) => {
    if (sequence.isDone) return []
    // The last token sampled is not cached yet; draft tokens after the first wrong one no longer count.
    const promptLength = sequence.promptTokens.length + sequence.tokens.length - 1
    return [{ sequence, store, row, promptLength }]
  })
}

/** Log-probabilities [V] of the token after the prompt, and after each token of the draft. Nothing is sampled. */
export async function readLogprobs(
  session: InferenceSession,
  config: LlamaConfig,
  sequence: Sequence,
): Promise<Float32Array[]> {
  const { feeds } = prefillFeeds([sequence], config)
  const outputs = await session.run(feeds, ['logprobs'])
  const logprobs = outputs.logprobs!.data as Float32Array
  const V = config.vocabularySize
  return Array.from({ length: logprobs.length / V }, (_, row) => logprobs.subarray(row * V, (row + 1) * V))
}

type Prompt = Pick<Sequence, 'promptTokens' | 'draft' | 'draftTokensRead' | 'sharpness'>

function prefillFeeds(
  pass: readonly Prompt[],
  { keyValueHeads: K }: LlamaConfig,
): {
  feeds: Record<string, Tensor>
  /** For each sequence, the row of the distribution after its prompt. */
  firstRows: number[]
} {
  const B = pass.length
  const T = Math.ceil(Math.max(...pass.map(tokensRead)) / blockCount) * blockCount
  const R = Math.max(...pass.map(({ draftTokensRead }) => draftTokensRead + 1))
  const tokens = new Array<number>(B * T).fill(0)
  const positions: number[] = []
  const headRows: number[] = []
  const sharpness: number[] = []
  const firstRows: number[] = []
  const rowMask = new Float32Array(B * R * T)
  pass.forEach(({ promptTokens, draft, draftTokensRead, sharpness: factor }, b) => {
    firstRows.push(headRows.length)
    for (let i = 0; i < promptTokens.length; i++) tokens[b * T + i] = promptTokens[i]!
    for (let i = 0; i < draftTokensRead; i++) tokens[b * T + promptTokens.length + i] = draft[i]!
    for (let r = 0; r < R; r++) {
      // Rows beyond the sequence's own repeat its last one and are ignored.
      const position = promptTokens.length - 1 + Math.min(r, draftTokensRead)
      positions.push(position)
      rowMask.fill(masked, (b * R + r) * T + position + 1, (b * R + r + 1) * T)
      if (r > draftTokensRead) continue
      headRows.push(b * R + r)
      sharpness.push(factor)
    }
  })
  const rows = positions.map((position, i) => Math.floor(i / R) * T + position)
  const feeds = {
    ...causalBlocks(T),
    ones: new Tensor('float32', new Float32Array(B * K * T).fill(1), [B, K, 1, T]),
    tokens: tensorOfIntegers(tokens, [B, T]),
    rows: tensorOfIntegers(rows, [B, R]),
    rowPositions: tensorOfIntegers(positions, [B, R]),
    rowMask: new Tensor('float32', rowMask, [B, 1, R, T]),
    headRows: tensorOfIntegers(headRows, [headRows.length]),
    sharpness: new Tensor('float32', Float32Array.from(sharpness), [sharpness.length, 1]),
  }
  return { feeds, firstRows }
}

/** Block i of queries, against all keys up to its end: each position sees itself and everything before it. */
function causalBlocks(T: number): Record<string, Tensor> {
  const height = T / blockCount
  const feeds: Record<string, Tensor> = {}
  for (let block = 0; block < blockCount; block++) {
    const width = (block + 1) * height
    const limit = new Float32Array(height * width).fill(unlimited)
    for (let row = 0; row < height; row++) {
      limit.fill(hidden, row * width + block * height + row + 1, (row + 1) * width)
    }
    feeds[limitName(block)] = new Tensor('float32', limit, [height, width])
    if (block < blockCount - 1) feeds[endName(block)] = tensorOfIntegers([width], [1])
  }
  return feeds
}
