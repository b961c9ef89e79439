/** The public surface of @memagent/bench: explicit named exports only. */
export type {
  CostEstimate,
  Method,
  MethodRequest,
  MethodResult,
  MethodUsage,
  TraceEntry,
} from './method.ts'
export type { BenchRecord } from './record.ts'
export { type Pair, type PairedDifference, pairedDifference } from './statistics/difference.ts'
export { type Estimate, estimateMean, estimateMeanOverStrata } from './statistics/mean.ts'
export { type Proportion, proportion, showProportion } from './statistics/proportion.ts'
