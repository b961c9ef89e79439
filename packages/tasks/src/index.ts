/** The public surface of @memagent/tasks: explicit named exports only. */
export { canBeNoted, isOfNotes } from './answers-in-notes.ts'
export { brokenTask, checkedTask } from './custom/checked-task.ts'
export { questionRowSchema } from './custom/jsonl-task.ts'
export { takesProse } from './custom/takes-prose.ts'
export { contentOfTask } from './custom/task-content.ts'
export { defineTask, type TaskDefinition } from './define-task.ts'
export {
  createDecoy,
  createFact,
  type DecoyStyle,
  type Fact,
  type FactOptions,
  type Question,
} from './facts/facts.ts'
export { type FactKind, factKindRows, type Template } from './facts/kind.ts'
export { factKinds, kindNamed } from './facts/kinds.ts'
export { loosen, loosenQuestion } from './facts/loose-statement.ts'
export type { SubjectClass } from './facts/name-forms.ts'
export type { Name } from './facts/names.ts'
export { poolOf, type Split } from './facts/pools.ts'
export { applyNotes, type NotedLines } from './notes.ts'
export { type Plant, type PlantedDocument, type PlantOptions, plantInProse } from './prose/plant.ts'
export { type ListProseOptions, listProseFiles, type ProseFile } from './prose/prose-files.ts'
export {
  createFolderProse,
  createTextProse,
  findInstalledModules,
  installedProse,
  type ProseOptions,
  type ProseSource,
} from './prose/prose-source.ts'
export { createRandom, hashText, type Random, type RandomKey } from './random.ts'
export { type TaskName, type TaskOptions, taskNamed, tasks } from './registry.ts'
export type { RowFilter } from './rows/row-filter.ts'
export {
  type RulerConfiguration,
  type RulerTaskName,
  rulerConfigurations,
} from './ruler/configurations.ts'
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
export type { Note, Sample, SampleRequest, Task } from './task.ts'
export type { TemplateChoice } from './templates.ts'
export { containsReference, lenientScore, type Match } from './verifiers/lenient.ts'
export { type ItemScores, scoreItems } from './verifiers/listed-items.ts'
export { normalizeAnswer } from './verifiers/normalize.ts'
export { rougeL } from './verifiers/rouge-l.ts'
export { scoreAnswer } from './verifiers/score.ts'
export { sequenceRatio } from './verifiers/sequence-ratio.ts'
export { equalsReference, strictScore } from './verifiers/strict.ts'
export { tokenF1 } from './verifiers/token-f1.ts'
