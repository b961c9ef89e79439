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
