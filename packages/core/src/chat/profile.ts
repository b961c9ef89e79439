/** A model profile: the window, prompts and sampling that suit one model. The paper's values are the default. */
import type { PromptSet } from '../workflows/prompts/prompts.ts'
import type { Sampling } from './sampling.ts'

/**
 * The window, in tokens. Prompt and output of every call stay within `window`.
 * Source: MemAgent, arXiv 2507.02259, section 4 (1024 + 5000 + 1024 + 1024 within 8192, the rest for the template).
 */
export interface WindowBudget {
  readonly window: number
  readonly question: number
  readonly chunk: number
  readonly memory: number
  /** The most tokens of the final answer. */
  readonly output: number
}

/** How sure a model must be of a change of its memory: means of probabilities over four orders of a section's sentences. */
export interface LeastConfidence {
  /** That the section changes anything. */
  readonly change: number
  /** Of the response as a whole. */
  readonly response: number
}

export interface ModelProfile {
  readonly name: string
  readonly budget: WindowBudget
  /** A name among the sets of the workflow in use, or another set. @default the workflow's first */
  readonly prompts?: string | PromptSet | undefined
  readonly sampling?: Omit<Sampling, 'seed'> | undefined
  /** Where chunks may end. @default 'natural' */
  readonly chunking?: 'natural' | 'exact' | undefined
  /**
   * Lets the memory grow from its budget into the window while it is full, at the expense of the chunk, and shrink again when it
   * is nearly empty for a while. @default false
   */
  readonly adaptsMemory?: boolean | undefined
  /**
   * Set if the model was trained to note only words of the text, numbers that it counted, and these words. A line with any other
   * word is a misreading, and `edits-confirmed` drops it. @default unknown: it may use its own words
   */
  readonly copiesBeside?: readonly string[] | undefined
  /**
   * `edits-confirmed` drops changes that the model is less sure of, if its backend gives log-probabilities. Not for models that
   * reason first: the first token of their response does not say whether anything changes.
   * @default undefined: it asks whether other orders bring a change at all
   */
  readonly leastConfidence?: LeastConfidence | undefined
  /**
   * Names of the workflows in the model's last training; the first is its default. @default unknown: models that follow
   * instructions can read with any, and use `overwrite` by default
   */
  readonly workflows?: readonly string[] | undefined
}

/** Whether the model was trained for this workflow; undefined if its profile does not say. */
export const isTrainedFor = (
  { workflows }: Pick<ModelProfile, 'workflows'>,
  workflow: string,
): boolean | undefined => workflows?.includes(workflow)

/**
 * The workflows that a profile lists after training with this one, its default from then on. Earlier ones are dropped: they were
 * not practised, so nobody knows how much the model has kept of them.
 */
export const trainedFor = ({ name, conversationsOf }: TrainedWorkflow): readonly string[] =>
  conversationsOf === undefined ? [name] : [name, conversationsOf]

interface TrainedWorkflow {
  readonly name: string
  /** As in `Workflow`. */
  readonly conversationsOf?: string | undefined
}

/** `memory: 'auto'`: see `adaptsMemory`. */
export type BudgetChanges = {
  readonly [Part in Exclude<keyof WindowBudget, 'memory'>]?: number | undefined
} & {
  readonly memory?: number | 'auto' | undefined
}

/** The profile with these parts of its budget replaced. */
export function withBudget(profile: ModelProfile, changes: BudgetChanges): ModelProfile {
  const { budget } = profile
  const { memory } = changes
  return {
    ...profile,
    ...(memory !== undefined && { adaptsMemory: memory === 'auto' }),
    budget: {
      window: changes.window ?? budget.window,
      question: changes.question ?? budget.question,
      chunk: changes.chunk ?? budget.chunk,
      memory: memory === undefined || memory === 'auto' ? budget.memory : memory,
      output: changes.output ?? budget.output,
    },
  }
}

/** The paper's window: 1024 + 5000 + 1024 + 1024 within 8192, the rest for the template. */
export const paperProfile: ModelProfile = {
  name: 'paper',
  budget: { window: 8192, question: 1024, chunk: 5000, memory: 1024, output: 1024 },
}

/** Where the profile of a GGUF file is looked for: `model.profile.json` beside `model.gguf`. */
export const profileFileBeside = (ggufFile: string): string =>
  `${ggufFile.replace(/\.gguf$/i, '')}.profile.json`
