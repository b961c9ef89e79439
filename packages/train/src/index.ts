/** The public surface of @memagent/train: explicit named exports only. */
export { createEmbeddedPolicy, type EmbeddedPolicyOptions } from './policy/embedded-policy.ts'
export type {
  FrozenPolicy,
  OptimizerResult,
  OptimizerStep,
  Policy,
  SampledResponse,
  SampleRequest,
  TokenSequence,
} from './policy/policy.ts'
export { type AdvantageOptions, groupAdvantages, stepAdvantages } from './rl/advantages.ts'
export {
  type BatchLoss,
  type BatchLossOptions,
  batchLoss,
  type TrainingConversation,
} from './rl/batch-loss.ts'
export { parseRlConfig, type RlConfig } from './rl/config.ts'
export { type DryRunReport, withDraws } from './rl/dry-run.ts'
export type { EvaluationAtLength } from './rl/evaluate.ts'
export { type PolicyLossOptions, tokenLoss } from './rl/policy-loss.ts'
export type { TrainingProgress } from './rl/progress.ts'
export type { StepMetrics } from './rl/step-metrics.ts'
export { type LossAggregation, tokenWeights } from './rl/token-weights.ts'
export { dryRunFromConfig, trainRlFromConfig } from './rl/train-from-config.ts'
export { type RlEvent, type RlInput, trainRl } from './rl/trainer.ts'
export { parseSftConfig, type SftConfig } from './sft/config.ts'
export { trainSftFromConfig } from './sft/train-from-config.ts'
export { type SftEvent, type SftInput, trainSft } from './sft/trainer.ts'
export type { ConformanceOptions } from './tinker/conformance.ts'
export type { OnNotice } from './tinker/effects.ts'
export {
  TinkerConformanceError,
  TinkerError,
  TinkerHttpError,
  TinkerProtocolError,
  TinkerRequestError,
  TinkerResultLostError,
} from './tinker/errors.ts'
export {
  type ProfileChoice,
  type ServerProfile,
  type ServerProfileName,
  tinkerProfiles,
} from './tinker/profiles.ts'
export type { SampleGateOptions } from './tinker/sample-gate.ts'
export { createTinkerPolicy, type TinkerPolicyOptions } from './tinker/tinker-policy.ts'
export { type BpeTrainingOptions, byteAlphabet, trainBpe } from './tokenizer/train-bpe.ts'
