/** The tasks by name. */
import type { AllMentionsOptions } from './all-mentions.ts'
import type { CorrectedFactOptions } from './corrected-fact.ts'
import type { JsonlTaskOptions } from './custom/jsonl-task.ts'
import type { FactsInProseOptions } from './facts-in-prose.ts'
import type { ManyFactsOptions } from './many-facts.ts'
import type { MultiHopOptions } from './multi-hop.ts'
import type { NearMissOptions } from './near-miss.ts'
import type { NeedlesInProseOptions } from './needles-in-prose.ts'
import type { BabilongOptions } from './published/babilong.ts'
import type { PublishedOptions } from './published/published-task.ts'
import type { RealDocumentsOptions } from './real-documents.ts'
import type { RulerTaskName } from './ruler/configurations.ts'
import type { RulerOptions } from './ruler/ruler-task.ts'
import type { RulerHqaOptions } from './ruler-hqa.ts'
import type { SeveralValuesOptions } from './several-values.ts'

const ruler =
  (name: RulerTaskName) =>
  async (options: RulerOptions = {}) =>
    (await import('./ruler/ruler-task.ts')).createRulerTask(name, options)

export const tasks = {
  'facts-in-prose': async (options: FactsInProseOptions) =>
    (await import('./facts-in-prose.ts')).createFactsInProse(options),
  'needles-in-prose': async (options: NeedlesInProseOptions) =>
    (await import('./needles-in-prose.ts')).createNeedlesInProse(options),
  'multi-hop': async (options: MultiHopOptions) => (await import('./multi-hop.ts')).createMultiHop(options),
  'many-facts': async (options: ManyFactsOptions) =>
    (await import('./many-facts.ts')).createManyFacts(options),
  'corrected-fact': async (options: CorrectedFactOptions) =>
    (await import('./corrected-fact.ts')).createCorrectedFact(options),
  'near-miss': async (options: NearMissOptions) => (await import('./near-miss.ts')).createNearMiss(options),
  'several-values': async (options: SeveralValuesOptions) =>
    (await import('./several-values.ts')).createSeveralValues(options),
  'all-mentions': async (options: AllMentionsOptions) =>
    (await import('./all-mentions.ts')).createAllMentions(options),
  'niah-single-1': ruler('niah-single-1'),
  'niah-single-2': ruler('niah-single-2'),
  'niah-single-3': ruler('niah-single-3'),
  'niah-multikey-1': ruler('niah-multikey-1'),
  'niah-multikey-2': ruler('niah-multikey-2'),
  'niah-multikey-3': ruler('niah-multikey-3'),
  'niah-multivalue': ruler('niah-multivalue'),
  'niah-multiquery': ruler('niah-multiquery'),
  'variable-tracking': ruler('variable-tracking'),
  'common-words': ruler('common-words'),
  'frequent-words': ruler('frequent-words'),
  'qa-squad': ruler('qa-squad'),
  'qa-hotpotqa': ruler('qa-hotpotqa'),
  'ruler-hqa': async (options: RulerHqaOptions) => (await import('./ruler-hqa.ts')).createRulerHqa(options),
  longbench: async (options: PublishedOptions) =>
    (await import('./published/longbench.ts')).createLongBench(options),
  'longbench-v2': async (options: PublishedOptions) =>
    (await import('./published/longbench-v2.ts')).createLongBenchV2(options),
  narrativeqa: async (options: PublishedOptions) =>
    (await import('./published/narrativeqa.ts')).createNarrativeQa(options),
  babilong: async (options: BabilongOptions) =>
    (await import('./published/babilong.ts')).createBabilong(options),
  mrcr: async (options: PublishedOptions) => (await import('./published/mrcr.ts')).createMrcr(options),
  'memagent-eval': async (options: PublishedOptions) =>
    (await import('./published/memagent-eval.ts')).createMemAgentEval(options),
  'real-documents': async (options: RealDocumentsOptions) =>
    (await import('./real-documents.ts')).createRealDocuments(options),
  jsonl: async ({ path, ...options }: JsonlTaskOptions & { readonly path: string }) =>
    (await import('./custom/jsonl-task.ts')).jsonlTask(path, options),
  module: async ({ path, ...options }: { readonly path: string; readonly [option: string]: unknown }) =>
    (await import('./custom/task-module.ts')).taskModule(path, options),
} as const

export type TaskName = keyof typeof tasks
