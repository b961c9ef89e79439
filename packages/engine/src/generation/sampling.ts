/** Picks the next token from logits. */

export interface SamplingOptions {
  /** 0 is greedy. */
  readonly temperature: number
  /** Smallest set of most probable tokens with at least this probability together. 1: all. */
  readonly topP: number
}

/** Uniform numbers in [0, 1) from a seed (mulberry32); each request has its own stream. */
export function uniformGenerator(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Index of the largest logit, the first of equal ones. Draws nothing. */
export function greedyToken(logits: Float32Array): number {
  let best = 0
  for (let i = 1; i < logits.length; i++) if (logits[i]! > logits[best]!) best = i
  return best
}

/** One token. Draws exactly one uniform number unless greedy. */
export function sampleToken(logits: Float32Array, options: SamplingOptions, uniform: () => number): number {
  if (options.temperature === 0) return greedyToken(logits)
  const highest = logits[greedyToken(logits)]!
  const weights = Float64Array.from(logits, (logit) => Math.exp((logit - highest) / options.temperature))
  let total = 0
  for (const weight of weights) total += weight
  const order = Array.from(weights.keys())
  if (options.topP < 1) {
    order.sort((a, b) => weights[b]! - weights[a]! || a - b)
    let kept = 0
    let mass = 0
    while (kept < order.length && mass < options.topP * total) mass += weights[order[kept++]!]!
    order.length = Math.max(kept, 1)
    total = mass
  }
  let rest = uniform() * total
  for (const token of order) {
    rest -= weights[token]!
    if (rest < 0) return token
  }
  return order.at(-1)!
}

/** log softmax(logits)[token], at temperature 1 and without top-p: what the training graph computes. */
export function logprobOf(logits: Float32Array, token: number): number {
  const highest = logits[greedyToken(logits)]!
  let total = 0
  for (const logit of logits) total += Math.exp(logit - highest)
  return logits[token]! - highest - Math.log(total)
}
