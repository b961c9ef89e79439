/** Samples the next token from probabilities. */

/** Temperatures below this are greedy: the next token's probability rounds to 1. */
export const lowestTemperature = 1e-4

/** Uniform numbers in [0, 1) from an integer seed (mulberry32 over both halves of the seed). */
export function uniformGenerator(seed: number): () => number {
  let state = (seed ^ Math.imul(Math.floor(seed / 2 ** 32), 0x9e3779b1)) >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/**
 * The token at which the cumulative probability passes `uniform`, in the order of ids; with `topP` below 1, in descending
 * probability within the smallest set of most probable tokens whose sum is at least `topP`.
 *
 * @param probabilities [V], sum about 1
 * @param uniform in [0, 1)
 */
export function sampleToken(probabilities: Float32Array, topP: number, uniform: number): number {
  const tokens = topP < 1 ? nucleus(probabilities, topP) : undefined
  const count = tokens?.length ?? probabilities.length
  // The probabilities sum to 1; what rounding leaves over goes to the last token.
  let total = 1
  if (tokens) total = tokens.reduce((sum, token) => sum + probabilities[token]!, 0)
  let rest = uniform * total
  let last = 0
  for (let i = 0; i < count; i++) {
    const token = tokens ? tokens[i]! : i
    const probability = probabilities[token]!
    if (probability === 0) continue
    rest -= probability
    last = token
    if (rest < 0) break
  }
  return last
}

/** By descending probability, the lower id first when equal. */
function nucleus(probabilities: Float32Array, topP: number): number[] {
  // All tokens below the floor sum to less than 1 - topP, so none of them is needed.
  const floor = (1 - topP) / probabilities.length / 2
  const tokens: number[] = []
  for (let token = 0; token < probabilities.length; token++) {
    if (probabilities[token]! >= floor) tokens.push(token)
  }
  tokens.sort((a, b) => probabilities[b]! - probabilities[a]! || a - b)
  let kept = 0
  let mass = 0
  while (kept < tokens.length && mass < topP) mass += probabilities[tokens[kept++]!]!
  tokens.length = kept
  return tokens
}
