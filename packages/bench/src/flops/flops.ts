/**
 * Floating-point operations of a reader and of one dense pass over the same text, by the formula of MemAgent
 * (arXiv 2507.02259, appendix A) with the counter of verl for Qwen2 and Llama (`verl/utils/flops_counter.py`).
 *
 * Here a forward pass is counted. verl counts training, forward and backward, which is three times as much; the plot of the
 * paper shows that. Ratios are the same. An operation is a multiplication or an addition, a pair counts as two.
 */
import type { DecoderArchitecture } from './architecture.ts'

/** Tokens of a conversation's parts. */
export interface ReadingShape {
  /** q of the formula. */
  readonly question: number
  /** N: of the text, in each update. */
  readonly chunk: number
  /** o: written in every call. The memory is counted where it is written, not where it is read. */
  readonly response: number
}

/** q = o = 1024, N = 5000. */
export const paperShape: ReadingShape = { question: 1024, chunk: 5000, response: 1024 }

/** Instructions of the paper's prompts, as its formula rounds them. */
const instructions = { first: 200, update: 200, answer: 100 }

/**
 * Weights that each token is multiplied with: without norms and biases, with an input and an output embedding. So does verl
 * count, although looking a token up multiplies nothing.
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
 * A forward pass over one sequence, prompt and response together: 2 for each weight and token, and for attention 2 for each
 * dimension and pair of tokens in the scores and as much in the weighted sum. All pairs count, also those that a causal mask
 * leaves out: half of them, nearly, which kernels need not compute.
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
  /** How many times as much the dense pass takes. */
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
