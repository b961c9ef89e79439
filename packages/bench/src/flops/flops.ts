/**
 * Floating-point operations of a reader and of one dense pass over the same text, by the formula of MemAgent
 * (arXiv 2507.02259, appendix A) with the counter of verl for Qwen2 and Llama (`verl/utils/flops_counter.py`).
 *
 * Counts a forward pass. verl counts forward and backward, three times as much, which is what the paper's plot shows; ratios
 * are the same. A multiply-add counts as two operations.
 */
import type { DecoderArchitecture } from './architecture.ts'

/** Tokens in each part of a conversation. */
export interface ReadingShape {
  /** q in the formula. */
  readonly question: number
  /** N in the formula: text tokens in each update. */
  readonly chunk: number
  /** o in the formula: tokens written in every call. The memory counts where it is written, not where it is read. */
  readonly response: number
}

/** q = o = 1024, N = 5000. */
export const paperShape: ReadingShape = { question: 1024, chunk: 5000, response: 1024 }

/** Tokens of instructions in the paper's prompts, as rounded in its formula. */
const instructions = { first: 200, update: 200, answer: 100 }

/**
 * Weights that multiply each token: no norms or biases, but both embeddings, as in verl, although an embedding lookup
 * multiplies nothing.
 */
export function multipliedWeights(architecture: DecoderArchitecture): number {
  const { vocabularySize, hiddenSize, intermediateSize, layers, heads, keyValueHeads, headDimension } =
    architecture
  const feedForward = 3 * hiddenSize * intermediateSize
  // Queries and output; keys and values.
  const attention = hiddenSize * headDimension * (2 * heads + 2 * keyValueHeads)
  return layers * (feedForward + attention) + 2 * vocabularySize * hiddenSize
}

/**
 * A forward pass over one sequence, prompt and response together: 2 per weight and token, and for attention 2 per dimension
 * and pair of tokens in the scores and again in the weighted sum. All pairs count, including those that a causal mask
 * excludes: nearly half, which kernels need not compute.
 */
export function forwardFlops(architecture: DecoderArchitecture, tokens: number): number {
  const { layers, heads, headDimension } = architecture
  return 2 * multipliedWeights(architecture) * tokens + 4 * layers * heads * headDimension * tokens ** 2
}

/** Question, text and response in one pass: q + c + o tokens. */
export function denseFlops(
  architecture: DecoderArchitecture,
  lengthTokens: number,
  { question, response }: ReadingShape = paperShape,
): number {
  return forwardFlops(architecture, question + lengthTokens + response)
}

/** A first call of q + 200 + o tokens, ceil(c / N) updates of q + 200 + N + o, and an answer of q + 100 + o. */
export function readerFlops(
  architecture: DecoderArchitecture,
  lengthTokens: number,
  { question, chunk, response }: ReadingShape = paperShape,
): number {
  const call = (tokens: number) => forwardFlops(architecture, question + tokens + response)
  const updates = Math.ceil(lengthTokens / chunk)
  return call(instructions.first) + updates * call(instructions.update + chunk) + call(instructions.answer)
}

export interface FlopsComparison {
  readonly lengthTokens: number
  readonly dense: number
  readonly reader: number
  /** Dense over reader. */
  readonly ratio: number
}

export function compareFlops(
  architecture: DecoderArchitecture,
  lengths: readonly number[],
  shape: ReadingShape = paperShape,
): FlopsComparison[] {
  return lengths.map((lengthTokens) => {
    const dense = denseFlops(architecture, lengthTokens, shape)
    const reader = readerFlops(architecture, lengthTokens, shape)
    return { lengthTokens, dense, reader, ratio: dense / reader }
  })
}
