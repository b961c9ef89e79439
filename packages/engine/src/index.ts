/** The public surface of @memagent/engine: explicit named exports only. */
export {
  createEmbeddedChatModel,
  type EmbeddedChatModel,
  type EmbeddedChatModelOptions,
  type EmbeddedChatModelSettings,
} from './chat.ts'
export { EngineError } from './errors.ts'
export { type GeneratorOptions, TextGenerator } from './generation/generator.ts'
export { GeneratorWorkers } from './generation/generator-workers.ts'
export type { GenerationRequest, GenerationResult } from './generation/request.ts'
export { sharedCopy } from './generation/shared-weights.ts'
export { commonPrefix, compareTokens } from './generation/token-prefix.ts'
export {
  fromHuggingFaceConfig,
  initialWeights,
  type LlamaConfig,
  parameterShapes,
  toHuggingFaceConfig,
  type Weights,
} from './models/llama-config.ts'
export { ProtobufWriter } from './onnx/protobuf.ts'
export type { AdamWOptions, AdamWState } from './training/adamw.ts'
export { requireFinite } from './training/require-finite.ts'
export { type WarmupThenDecayOptions, warmupThenDecay } from './training/schedule.ts'
export type { TrainingBatch } from './training/training-batch.ts'
export {
  type ForwardResult,
  TrainingSession,
  type TrainingSessionOptions,
} from './training/training-session.ts'
export { averageModels } from './weights/average-models.ts'
export { exportGguf, type GgufOptions, toGguf } from './weights/llama-gguf.ts'
export {
  loadModelFolder,
  loadTokenizerFiles,
  type ModelFolder,
  saveModelFolder,
  type TokenizerFiles,
  weightsDigest,
} from './weights/model-folder.ts'
export type { StorageType } from './weights/number-formats.ts'
export { readSafetensors, type SafetensorsContent, writeSafetensors } from './weights/safetensors.ts'
