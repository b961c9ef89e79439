/** The public surface of @memagent/train: explicit named exports only. */
export { createEmbeddedPolicy, type EmbeddedPolicyOptions } from './policy/embedded-policy.ts'
export type {
  FrozenPolicy,
  OptimizerResult,
  OptimizerStep,
  Policy,
  SampledResponse,
  SampleRequest,
} from './policy/policy.ts'
export { addedRewards, sumOfRewards } from './rl/added-rewards/registry.ts'
export {
  type AdvantageOptions,
  type Credit,
  creditFactors,
  groupAdvantages,
  hasSignal,
  stepAdvantages,
} from './rl/advantages.ts'
export {
  type BatchLoss,
  type BatchLossOptions,
  type BatchMetrics,
  batchLoss,
  type LossAggregation,
  type TrainingConversation,
  tokenWeights,
} from './rl/batch-loss.ts'
export {
  checkRlConfig,
  parseRlConfig,
  type RlConfig,
  type RlSettings,
  rlConfigSchema,
} from './rl/config.ts'
export {
  type DryRunOptions,
  type DryRunReport,
  type DryRunStep,
  dryRun,
  dryRunFromConfig,
  type TokenCounts,
  withDraws,
} from './rl/dry-run.ts'
export { createTrainingEngine, type TrainingEngine, type TrainingEngineOptions } from './rl/engine.ts'
export type { EngineSettings } from './rl/engine-config.ts'
export { type EvaluationAtLength, type EvaluationOptions, evaluatePolicy } from './rl/evaluate.ts'
export type { RlEvent } from './rl/events.ts'
export { type LearnOptions, learn, type UpdateMetrics } from './rl/learn.ts'
export { createPolicyChatModel, type PolicyChatModelOptions } from './rl/policy-chat-model.ts'
export { type PolicyLossOptions, type TokenLoss, tokenLoss } from './rl/policy-loss.ts'
export type { OnProgress, PhaseProgress, TrainingProgress } from './rl/progress.ts'
export { createReaderTokens, type ReaderTokens } from './rl/reader-tokens.ts'
export type { Reading } from './rl/readings.ts'
export { metricReward, type OverlongOptions, overlongReward, type Reward } from './rl/rewards.ts'
export { type RecordedConversation, type Rollout, type RolloutOptions, rollOut } from './rl/rollout.ts'
export {
  drawRolloutBatch,
  type RolloutBatch,
  type RolloutBatchOptions,
  type RolloutGroup,
} from './rl/rollout-batch.ts'
export { describeRollouts, type StepMetrics } from './rl/step-metrics.ts'
export { stepRewards } from './rl/step-rewards/registry.ts'
export type { StepReward } from './rl/step-rewards/step-reward.ts'
export { trainRl, trainRlFromConfig } from './rl/trainer.ts'
export {
  type CreditOptions,
  isInstructive,
  type ScoringOptions,
  scoreConversations,
  splitIntoUpdates,
  trainingConversations,
} from './rl/training-conversations.ts'
export type { GivenParts } from './rl/training-parts.ts'
export type { RlOptions } from './rl/training-run.ts'
export {
  checkSftConfig,
  parseSftConfig,
  type SftConfig,
  type SftSettings,
  sftConfigSchema,
} from './sft/config.ts'
export type { SftEvent } from './sft/events.ts'
export { trainSft, trainSftFromConfig } from './sft/trainer.ts'
export type { SftOptions } from './sft/training-run.ts'
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
export { type BpeTrainingOptions, trainBpe } from './tokenizer/train-bpe.ts'
