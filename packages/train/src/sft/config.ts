/** The configuration of supervised training, one schema for objects and for YAML files. */
import { windowBudgetSchema } from '@memagent/core/settings'
import { z } from 'zod'
import { checkConfig, parseConfig } from '../yaml-config.ts'
import { responseWriters, type TaughtWorkflow } from './response-writers.ts'

const positive = z.number().int().positive()
const share = z.number().min(0).max(1)
const belowOne = z.number().min(0).lt(1)

/** Tokens of a conversation besides its section: question, memories, responses. */
export const roomBesideSection = 96

const skill = z.strictObject({
  task: z.string().describe('The task whose documents are read.'),
  options: z.record(z.string(), z.unknown()).default({}).describe('Options of the task.'),
})

const stage = z.strictObject({
  steps: positive.describe('Optimizer steps of this stage.'),
  sectionTokens: positive.describe('Tokens of the longest section.'),
  rowTokens: positive
    .multipleOf(64)
    .describe('Tokens of a row: a section with its questions. A multiple of 64.'),
  rows: positive.describe('Rows of a step.'),
  questions: positive.describe('The most questions about a section.'),
  families: positive.describe('The most families of facts in a section.'),
  decoys: z.number().int().min(0).default(1).describe('The most decoys of a fact.'),
  presentShare: share
    .default(0.6)
    .describe(
      'Share of the families whose asked fact is in the section, and of the questions that the section answers.',
    ),
  plainShare: share.default(0.1).describe('Share of the sections without any planted fact.'),
  wordSaladShare: share.default(0.15).describe('Share of the sections made of words in random order.'),
  looseShare: share.default(0).describe('Share of the families stated in words outside the templates.'),
  strangeShare: share
    .default(0)
    .describe('Share of the sections whose prose is turned into verse or gets invented words.'),
  strangeValueShare: share
    .default(0)
    .describe('Share of the families with made-up values, which can only be copied.'),
  hintShare: share
    .default(1)
    .describe('Share of the lessons with hints: names and verdicts inside the section are targets, too.'),
  skills: z
    .record(
      z.string(),
      z.strictObject({
        weight: z.number().positive().default(1).describe('How often it is drawn, compared to the others.'),
        lengths: z
          .array(positive)
          .length(2)
          .refine(([least, most]) => least! <= most!, 'the least length comes first')
          .describe('Least and greatest length of its documents, in tokens.'),
      }),
    )
    .default({})
    .describe('Skills that are taught, by their names in `skills`.'),
  skillShare: share.default(0).describe('Share of the lessons that teach skills instead of single facts.'),
  keptShare: share
    .default(0.5)
    .describe("Share of a skill's steps without news that become lessons; steps with news all do."),
})

export const sftConfigSchema = z
  .strictObject({
    output: z.string().min(1).describe('Where the model folder, checkpoints and logs go.'),
    name: z.string().optional().meta({
      description: 'Name of the model in its profile.',
      defaultIs: 'the last part of `output`',
    }),
    startFrom: z.string().optional().meta({
      description: 'A model folder whose weights and tokenizer training starts from.',
      defaultIs: 'random weights',
    }),
    seed: z.number().int().default(1).describe('Seed of the lessons and of random weights.'),
    threads: positive.default(2).describe('Threads of the engine.'),
    prose: z
      .strictObject({
        folder: z.string().optional().meta({
          description:
            'A folder of text files in English. Files in other languages, and translations by their names (`README.fr.md`), are passed over; the first 32 MiB count.',
          defaultIs: 'the documentation that `npm ci` installs',
        }),
        evaluationShare: z
          .number()
          .min(0)
          .lt(1)
          .default(0.1)
          .describe('Share of the texts kept for evaluation; 0 evaluates nothing.'),
      })
      .default({ evaluationShare: 0.1 })
      .describe('The text that sections are drawn from.'),
    model: z
      .strictObject({
        vocabularySize: positive.describe('Tokens of the vocabulary.'),
        hiddenSize: positive.describe("Size of a token's hidden state."),
        intermediateSize: positive.describe('Width of the feed-forward layers.'),
        layers: positive.describe('Number of layers.'),
        heads: positive.describe('Attention heads per layer.'),
        keyValueHeads: positive.describe('Key-value heads per layer, shared by the attention heads.'),
        headDimension: positive.multipleOf(2).describe('Dimension of a head.'),
        ropeTheta: z.number().positive().default(10_000).describe('Base of the rotary positions.'),
        maxPositions: positive.describe('The longest sequence.'),
      })
      .describe('The architecture, a Llama.'),
    budget: windowBudgetSchema.describe('The window, in tokens.'),
    workflow: z
      .enum(Object.keys(responseWriters) as [TaughtWorkflow, ...TaughtWorkflow[]])
      .default('overwrite')
      .describe('The workflow, or the method of the benchmark, whose conversations are taught.'),
    skills: z
      .record(z.string(), skill)
      .default({})
      .describe(
        'Skills by name: tasks whose documents a perfect reader reads, by the notes in their samples.',
      ),
    optimizer: z
      .strictObject({
        algorithm: z
          .enum(['adamw', 'muon'])
          .default('adamw')
          .describe('`muon` for the matrices inside the layers and AdamW for the rest; or AdamW for all.'),
        learningRate: z.number().positive().describe('The highest, after the warm-up.'),
        finalLearningRate: z.number().min(0).describe('Where half a cosine ends, one step after the last.'),
        warmupSteps: z.number().int().min(0).describe('Steps of linear warm-up.'),
        decaySteps: positive.optional().meta({
          description:
            'Steps of the whole schedule; with more than the stages have, the rate ends above the final one.',
          defaultIs: 'the steps of the stages',
        }),
        weightDecay: z.number().min(0).default(0.05).describe('Weight decay of AdamW and Muon.'),
        beta1: belowOne.default(0.9).describe('Of AdamW.'),
        beta2: belowOne.default(0.98).describe('Of AdamW.'),
        epsilon: z.number().positive().default(1e-8).describe('Of AdamW.'),
        clipNorm: z.number().positive().default(1).describe('Longer gradients are scaled down to this norm.'),
      })
      .describe('The optimizer.'),
    stages: z.array(stage).min(1).describe('What is taught, stage by stage.'),
    evaluation: z
      .strictObject({
        every: positive.describe('Steps between two evaluations.'),
        sections: positive.describe(
          'Rows of lessons of each kind, in whole batches: six rows of single facts, two of skills. A row has room for two sections of the greatest length, or two conversations of a whole window, and is filled up with shorter ones.',
        ),
        sectionTokens: positive.describe('Tokens of the longest section.'),
      })
      .describe('Evaluation on lessons from texts that are not trained on.'),
    checkpointEvery: positive.describe('Steps between two checkpoints.'),
  })
  .check(({ value: { skills, stages, budget, model, evaluation, prose }, issues }) => {
    const mostSection = (tokens: number, path: (string | number)[]) => {
      if (tokens < model.maxPositions) return
      const message = `must be less than model.maxPositions, which is ${model.maxPositions}: question and memory must fit beside a section`
      issues.push({ code: 'custom', message, path: [...path, 'sectionTokens'], input: tokens })
    }
    if (prose.evaluationShare > 0) mostSection(evaluation.sectionTokens, ['evaluation'])
    if (budget.window > model.maxPositions) {
      // Otherwise the trained model could not read anything.
      const message = `must be at most model.maxPositions, which is ${model.maxPositions}`
      issues.push({ code: 'custom', message, path: ['budget', 'window'], input: budget.window })
    }
    stages.forEach((stage, i) => {
      // No section is longer than its row, and skills are read within the window.
      if (stage.rowTokens > model.maxPositions && stage.skillShare < 1)
        mostSection(stage.sectionTokens, ['stages', i])
      for (const name of Object.keys(stage.skills)) {
        if (Object.hasOwn(skills, name)) continue
        const message = `stage ${i + 1} teaches a skill that \`skills\` does not define`
        issues.push({ code: 'custom', message, path: ['stages', i, 'skills', name], input: name })
      }
      if (stage.skillShare > 0 && Object.keys(stage.skills).length === 0) {
        const message = `stage ${i + 1} has a skillShare and no skills`
        issues.push({ code: 'custom', message, path: ['stages', i, 'skillShare'], input: stage.skillShare })
      }
    })
  })

/** As written in code or YAML: fields with a default may be left out. */
export type SftSettings = z.input<typeof sftConfigSchema>
/** The settings with every default filled in. */
export type SftConfig = z.output<typeof sftConfigSchema>
export type SftStage = SftConfig['stages'][number]
export type SftSkill = SftConfig['skills'][string]

/** @param settings overrides: `optimizer.learningRate=1e-4` @throws ConfigurationError naming every wrong field */
export const parseSftConfig = (yaml: string, name: string, settings?: readonly string[]): SftConfig =>
  parseConfig(sftConfigSchema, yaml, name, settings)

/** Checks an object; returns a checked one unchanged. @throws ConfigurationError naming every wrong field */
export const checkSftConfig = (settings: SftSettings): SftConfig =>
  checkConfig(sftConfigSchema, settings, 'The configuration')
