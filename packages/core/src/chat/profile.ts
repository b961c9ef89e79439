/** A model profile: the window, prompts and sampling that suit one model. The paper's values are the default. */
import type { PromptSet } from '../workflows/prompts.ts'
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
  /** Tokens of the final answer. */
  readonly output: number
}

export interface ModelProfile {
  readonly name: string
  readonly budget: WindowBudget
  /** A name among the sets of the workflow that reads, or another set. @default the workflow's first */
  readonly prompts?: string | PromptSet | undefined
  readonly sampling?: Omit<Sampling, 'seed'> | undefined
  /** Where chunks may end. @default 'natural' */
  readonly chunking?: 'natural' | 'exact' | undefined
}

export type BudgetChanges = { readonly [Part in keyof WindowBudget]?: number | undefined }

/** The profile with these parts of its budget replaced. */
export function withBudget(profile: ModelProfile, changes: BudgetChanges): ModelProfile {
  const { budget } = profile
  return {
    ...profile,
    budget: {
      window: changes.window ?? budget.window,
      question: changes.question ?? budget.question,
      chunk: changes.chunk ?? budget.chunk,
      memory: changes.memory ?? budget.memory,
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
