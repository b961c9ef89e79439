/** The public surface of @memagent/bench: explicit named exports only. */

export { type Diagnosis, diagnose } from './diagnosis/diagnose.ts'
export type { Failure, Signature } from './diagnosis/signature.ts'
export { signatures } from './diagnosis/signatures/registry.ts'
export type {
  CostEstimate,
  Method,
  MethodRequest,
  MethodResult,
  MethodUsage,
  TraceEntry,
} from './method.ts'
export type { MethodFactory, MethodSettings } from './methods/factory.ts'
export {
  createMethod,
  type MethodSpec,
  methodFactory,
  methodNames,
  parseMethodSpec,
} from './methods/registry.ts'
export type { BenchRecord } from './record.ts'
export { type Pair, type PairedDifference, pairedDifference } from './statistics/difference.ts'
export { type Estimate, estimateMean, estimateMeanOverStrata } from './statistics/mean.ts'
export { type Proportion, proportion, showProportion } from './statistics/proportion.ts'
