/** The dimensions of a small model; tests say where theirs differ. */
import type { LlamaConfig } from '../models/llama-config.ts'

export const tinyLlama: LlamaConfig = {
  vocabularySize: 40,
  hiddenSize: 24,
  intermediateSize: 32,
  layers: 2,
  heads: 4,
  keyValueHeads: 2,
  headDimension: 6,
  ropeTheta: 10_000,
  rmsNormEpsilon: 1e-5,
  maxPositions: 64,
}
