/** The public surface of @memagent/tasks: explicit named exports only. */
export { mentionRelations } from './all-mentions/relations.ts'
export { type AllMentionsOptions, createAllMentions } from './all-mentions.ts'
export { type CorrectedFactOptions, createCorrectedFact } from './corrected-fact.ts'
export { type JsonlTaskOptions, jsonlTask } from './custom/jsonl-task.ts'
export { contentOfTask } from './custom/task-content.ts'
export { taskModule } from './custom/task-module.ts'
export {
  createDecoy,
  createFact,
  type DecoyStyle,
  type Fact,
  type FactOptions,
  type Question,
  type TemplateChoice,
} from './facts/facts.ts'
export type { FactKind, Template } from './facts/kind.ts'
export { factKinds, kindNamed } from './facts/kinds.ts'
export { loosen, loosenQuestion } from './facts/loose-statement.ts'
export type { SubjectClass } from './facts/name-forms.ts'
export type { Name } from './facts/names.ts'
export { poolOf, type Split } from './facts/pools.ts'
export { createFactsInProse, type FactsInProseOptions } from './facts-in-prose.ts'
export { type Choice, type Series, series } from './many-facts/series.ts'
export { createManyFacts, type ManyFactsOptions } from './many-facts.ts'
export { createMultiHop, type EvidenceOrder, type MultiHopOptions } from './multi-hop.ts'
export { createNearMiss, type NearMissOptions } from './near-miss.ts'
export {
  createNeedlesInProse,
  type NeedlesInProseOptions,
  type NeedleValues,
  needleVariants,
} from './needles-in-prose.ts'
export { type Plant, type PlantedDocument, type PlantOptions, plantInProse } from './prose/plant.ts'
export { type ListProseOptions, listProseFiles, type ProseFile } from './prose/prose-files.ts'
export {
  createFolderProse,
  createTextProse,
  cyclic,
  findInstalledModules,
  installedProse,
  type ProseOptions,
  type ProseSource,
} from './prose/prose-source.ts'
export type { ProseTaskOptions } from './prose-task.ts'
export { type BabilongOptions, createBabilong } from './published/babilong.ts'
export { createLongBench } from './published/longbench.ts'
export { createLongBenchV2 } from './published/longbench-v2.ts'
export { createMemAgentEval } from './published/memagent-eval.ts'
export { createMrcr } from './published/mrcr.ts'
export { createNarrativeQa } from './published/narrativeqa.ts'
export type { PublishedOptions } from './published/published-task.ts'
export { createRandom, hashText, type Random, type RandomKey } from './random.ts'
export { createRealDocuments, type RealDocumentsOptions } from './real-documents.ts'
export { type TaskName, tasks } from './registry.ts'
export type { RowFilter, ValueRange } from './rows/row-filter.ts'
export {
  type RulerConfiguration,
  type RulerTaskName,
  rulerConfigurations,
} from './ruler/configurations.ts'
export { createRulerTask, type RulerOptions } from './ruler/ruler-task.ts'
export { stringMatchAll, stringMatchPart } from './ruler/string-match.ts'
export { type PublishedSize, rulerHqaSizes } from './ruler-hqa/published-sizes.ts'
export {
  type AskWithoutText,
  type SynthesisOptions,
  type SynthesisStep,
  synthesizeRulerHqa,
  type TrainingRow,
} from './ruler-hqa/synthesize.ts'
export {
  type TrainingSet,
  type TrainingSetOptions,
  writeTrainingSet,
} from './ruler-hqa/write-training-set.ts'
export { createRulerHqa, type RulerHqaOptions } from './ruler-hqa.ts'
export { collections } from './several-values/collections.ts'
export { createSeveralValues, type SeveralValuesOptions } from './several-values.ts'
export type { Sample, SampleRequest, Task } from './task.ts'
export { containsReference, lenientScore, type Match } from './verifiers/lenient.ts'
export { type ItemScores, scoreItems } from './verifiers/listed-items.ts'
export { normalizeAnswer } from './verifiers/normalize.ts'
export { rougeL } from './verifiers/rouge-l.ts'
export { scoreAnswer } from './verifiers/score.ts'
export { sequenceRatio } from './verifiers/sequence-ratio.ts'
export { equalsReference, strictScore } from './verifiers/strict.ts'
export { tokenF1 } from './verifiers/token-f1.ts'
