/** The configuration of supervised training, one schema for objects and for YAML files. */
import { windowBudgetSchema } from '@memagent/core/settings'
import { z } from 'zod'
import { checkConfig, parseConfig } from '../yaml-config.ts'

const positive = z.number().int().positive()
const share = z.number().min(0).max(1)

const stage = z.strictObject({
  /** Optimizer steps of this stage. */
  steps: positive,
  /** Longest section in tokens. */
  sectionTokens: positive,
  /** Tokens of one row: a section with its questions. A multiple of 64. */
  rowTokens: positive.multipleOf(64),
  /** Rows per step. */
  rows: positive,
  /** Questions per section, at most. */
  questions: positive,
  /** Fact families per section, at most. */
  families: positive,
  /** Decoys of a fact, at most. */
  decoys: z.number().int().min(0).default(1),
  /** Share of families whose asked fact is in the section. */
  presentShare: share.default(0.6),
  /** Share of sections without any planted fact. */
  plainShare: share.default(0.1),
  wordSaladShare: share.default(0.15),
  /** Share of families told in other words than the templates' (`loosen` of the tasks). */
  looseShare: share.default(0),
  /** Share of sections of prose that is made strange: verses, words that nobody wrote (see `strange-prose.ts`). */
  strangeShare: share.default(0),
  /** Share of families of facts whose values are made up, so that they can only be copied (see `strange-value.ts`). */
  strangeValueShare: share.default(0),
  /** Share of lessons with hints: names and verdicts inside the section as targets, too (see `section-hints.ts`). */
  hintShare: share.default(1),
  /** Copying exercises per row, at most. */
  copies: z.number().int().min(0).default(0),
})

const schema = z.strictObject({
  /** Where the model folder, checkpoints and logs go. */
  output: z.string(),
  /** What the model is called in its profile. @default the last part of `output` */
  name: z.string().optional(),
  /** Start from the weights and tokenizer of this model folder; otherwise from random weights. */
  startFrom: z.string().optional(),
  seed: z.number().int().default(1),
  threads: positive.default(2),
  prose: z
    .strictObject({
      /** A folder of text files. Without: the documentation that npm ci brought. */
      folder: z.string().optional(),
      /** The share of the texts that only evaluation reads; with 0 nothing is evaluated. */
      evaluationShare: z.number().min(0).lt(1).default(0.1),
    })
    .default({ evaluationShare: 0.1 }),
  model: z.strictObject({
    vocabularySize: positive,
    hiddenSize: positive,
    intermediateSize: positive,
    layers: positive,
    heads: positive,
    keyValueHeads: positive,
    headDimension: positive.multipleOf(2),
    ropeTheta: z.number().positive().default(10_000),
    maxPositions: positive,
  }),
  budget: windowBudgetSchema,
  optimizer: z.strictObject({
    /** `muon` for the matrices inside the layers, AdamW for the rest; or AdamW for all. */
    algorithm: z.enum(['adamw', 'muon']).default('adamw'),
    learningRate: z.number().positive(),
    finalLearningRate: z.number().min(0),
    warmupSteps: z.number().int().min(0),
    /** Steps of the whole schedule; beyond the sum of the stages only when training goes on later. */
    decaySteps: positive.optional(),
    weightDecay: z.number().min(0).default(0.05),
    beta1: share.default(0.9),
    beta2: share.default(0.98),
    epsilon: z.number().positive().default(1e-8),
    clipNorm: z.number().positive().default(1),
  }),
  stages: z.array(stage).min(1),
  evaluation: z.strictObject({ every: positive, sections: positive, sectionTokens: positive }),
  checkpointEvery: positive,
})

/** What one writes, in code or in YAML: fields with a default may be left out. */
export type SftSettings = z.input<typeof schema>
/** The same with every default filled in. */
export type SftConfig = z.output<typeof schema>
export type SftStage = SftConfig['stages'][number]

/** @throws ConfigurationError naming every wrong field. */
export const parseSftConfig = (yaml: string, name: string): SftConfig => parseConfig(schema, yaml, name)

/** The same for an object; a checked one stays as it is. @throws ConfigurationError naming every wrong field */
export const checkSftConfig = (settings: SftSettings): SftConfig =>
  checkConfig(schema, settings, 'The configuration')

/** The stage that optimizer step `step` (0-based) belongs to; undefined when training is over. */
export function stageAt(config: SftConfig, step: number): SftStage | undefined {
  let first = 0
  for (const candidate of config.stages) {
    if (step < first + candidate.steps) return candidate
    first += candidate.steps
  }
  return undefined
}

export const totalSteps = (config: SftConfig) => config.stages.reduce((sum, { steps }) => sum + steps, 0)
