/** The public surface of @memagent/bench: explicit named exports only. */

export { type Diagnosis, diagnose } from './diagnosis/diagnose.ts'
export type { Failure, Signature } from './diagnosis/signature.ts'
export { signatures } from './diagnosis/signatures/registry.ts'
export {
  architectureFromConfig,
  type DecoderArchitecture,
  readArchitecture,
} from './flops/architecture.ts'
export {
  compareFlops,
  denseFlops,
  type FlopsComparison,
  forwardFlops,
  multipliedWeights,
  paperShape,
  type ReadingShape,
  readerFlops,
} from './flops/flops.ts'
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
export { type Analysis, analyse } from './report/analysis/analyse.ts'
export {
  difference,
  estimate,
  inFinalMemory,
  inMemoryAtSomeStep,
  type Measure,
  metric,
  type ObservationPair,
  pairByQuestion,
  pairBySample,
} from './report/analysis/measures.ts'
export type { Block, Table, TableCell, TableRow } from './report/block.ts'
export {
  type Collection,
  collectObservations,
  type NamedRecords,
  type Source,
} from './report/collect-observations.ts'
export {
  accuracyTable,
  differenceTable,
  lossTable,
} from './report/comparison/accuracy.ts'
export {
  type Comparison,
  type ComparisonOptions,
  type Reader,
  readComparison,
  type SampleFilter,
} from './report/comparison/comparison.ts'
export { hazardTable } from './report/comparison/rewrites.ts'
export { csv } from './report/formats/csv-rows.ts'
export { reportJson } from './report/formats/json.ts'
export { markdownText, writeMarkdown } from './report/formats/markdown.ts'
export type { ReportFile } from './report/formats/report-file.ts'
export type { Observation } from './report/observation.ts'
export {
  parseReportConfig,
  type ReportConfig,
  readReportConfig,
  reportConfigSchema,
} from './report/pages/report-config.ts'
export { writeReports } from './report/pages/write-pages.ts'
export type { Plot } from './report/plots/plot.ts'
export { readRecordLines } from './report/read-records.ts'
export {
  type RecordedKind,
  recordedKind,
  type ShownReport,
  shownReport,
} from './report/shown/shown-report.ts'
export { type ReportFormat, reportFormats, writeReport } from './report/write-report.ts'
export { type BenchConfig, benchConfigSchema } from './run/config.ts'
export { checkBenchConfig, createPlan, type PlanSources } from './run/create-plan.ts'
export {
  type BenchEstimate,
  estimateBenchmark,
  type GroupEstimate,
  type PlanEstimate,
} from './run/estimate.ts'
export { parseLength, showLength } from './run/length.ts'
export { type BenchOverrides, overrideConfig } from './run/override-config.ts'
export type { BenchPlan, PlannedLength, PlannedMethod, PlannedTask, Prices } from './run/plan.ts'
export { notesOnPlan } from './run/plan-notes.ts'
export type { BenchProgress } from './run/progress.ts'
export { type RunOptions, runBenchmark } from './run/run-benchmark.ts'
export type { BenchGroup, BenchSummary, BenchTotals } from './run/summary.ts'
export { splitSpecs } from './run/task-spec.ts'
export { parseBenchConfig, readBenchConfig } from './run/yaml-config.ts'
export { type PairedDifference, pairedDifference } from './statistics/difference.ts'
export { type Estimate, estimateMean, estimateMeanOverStrata } from './statistics/mean.ts'
export type { Pair } from './statistics/newcombe.ts'
export { type Proportion, proportion, showProportion } from './statistics/proportion.ts'
