/** Upper estimates before any call: by the budget, with questions, notes and answers at their longest. */
import {
  createEstimateTokenizer,
  leastChunk,
  type Message,
  type ModelProfile,
  memoriesIn,
  overwrite,
  promptsFor,
  templateReserve,
  type Workflow,
} from '@memagent/core'
import type { CostEstimate } from '../method.ts'
import { answerPrompt, hasInstructions, holdsInstructions, ownPrompts } from './prompts.ts'

/** Least average fill of chunks that end at paragraphs; single ones may be emptier. */
const naturalFill = 2 / 3
/** The same for sections assembled from excerpts. */
const sectionFill = 3 / 4
/** What the chat templates of models without instructions add; others may add a system message. */
const bareTemplate = 8

/** Number of chunks of a text, cut as in the profile. */
export function chunksOf(lengthTokens: number, chunk: number, chunking: ModelProfile['chunking']): number {
  return Math.ceil(lengthTokens / (chunk * (chunking === 'exact' ? 1 : naturalFill)))
}

/** Tokens of a prompt's instructions and structure, estimated by characters, and of a template. */
export function overheadOf(messages: readonly Message[], profile: ModelProfile): number {
  return tokensOf(messages, hasInstructions(profile) ? templateReserve : bareTemplate)
}

function tokensOf(messages: readonly Message[], template: number): number {
  const tokenizer = createEstimateTokenizer()
  return messages.reduce((sum, { content }) => sum + (tokenizer.count(content) as number), template)
}

/** How a reading is done, beside its budget. */
export interface ReadingManner {
  /** Chunks that may be asked about at the same time. @default 1 */
  readonly ahead?: number | undefined
  /** The answer is asked for once more where the first response has none, with what the window has left. @default false */
  readonly asksAgain?: boolean | undefined
}

/** Reading chunk by chunk with a memory, and answering from it. */
export function estimateReading(
  lengthTokens: number,
  chunks: number,
  profile: ModelProfile,
  workflow: Pick<Workflow, 'name' | 'prompts' | 'callsPerChunk' | 'estimate' | 'unchanged'> = overwrite,
  manner: ReadingManner = {},
): CostEstimate {
  if (profile.adaptsMemory) {
    const { chunk, window } = profile.budget
    const budget = { ...profile.budget, chunk: leastChunk(chunk), memory: Math.floor(window / 2) }
    const most = Math.ceil((chunks * chunk) / (budget.chunk * naturalFill))
    return estimateReading(lengthTokens, most, { ...profile, budget, adaptsMemory: false }, workflow, manner)
  }
  const { ahead = 1, asksAgain = false } = manner
  const { window, question, memory, output } = profile.budget
  const { callsPerChunk = 1 } = workflow
  const prompts = promptsFor(workflow, profile.prompts)
  const empty = Object.entries(workflow.prompts.conversations).map(([name, places]) => ({
    name,
    messages: prompts.messages(name, Object.fromEntries(places.map((place) => [place, '']))),
    hasSection: places.includes('section'),
    memories: Math.max(1, memoriesIn(prompts.templates[name]!, workflow.prompts)),
  }))
  const template = empty.some(({ messages }) => holdsInstructions(messages, prompts.markers))
    ? templateReserve
    : bareTemplate
  /** Tokens of the longest conversation, with a section or without one; the section itself aside. */
  const longest = (hasSection: boolean) =>
    Math.max(
      0,
      ...empty
        .filter((one) => one.hasSection === hasSection)
        .map((one) => tokensOf(one.messages, template) + question + one.memories * memory),
    )
  const [update, answer] = [longest(true), longest(false)]
  const reading =
    workflow.estimate?.({ tokens: lengthTokens, chunks }, profile.budget).map((one) => {
      const { messages } = empty.find(({ name }) => name === one.template)!
      return { ...one, promptTokens: one.count * (tokensOf(messages, template) + question) + one.filled }
    }) ?? usualCalls({ lengthTokens, chunks, callsPerChunk, memory }, update, answer)
  // Reading ahead wastes as many steps as it takes, at most.
  const times = ahead > 1 && workflow.unchanged ? 2 : 1
  const sum = (of: (calls: Calls) => number) => times * reading.reduce((total, calls) => total + of(calls), 0)
  return {
    calls: sum(({ count }) => count) + (asksAgain ? 2 : 1),
    promptTokens: sum(({ promptTokens }) => promptTokens) + (asksAgain ? 2 : 1) * answer,
    completionTokens: sum(({ count, maxTokens }) => count * maxTokens) + output + (asksAgain ? window : 0),
  }
}

interface Calls {
  readonly count: number
  readonly promptTokens: number
  /** Tokens that each may write. */
  readonly maxTokens: number
}

/** One call a chunk with its text, and further ones about the memory alone, which may be twice its length before it is made shorter. */
function usualCalls(
  {
    lengthTokens,
    chunks,
    callsPerChunk,
    memory,
  }: Readonly<Record<'lengthTokens' | 'chunks' | 'callsPerChunk' | 'memory', number>>,
  update: number,
  answer: number,
): readonly Calls[] {
  const further = chunks * (callsPerChunk - 1)
  return [
    { count: chunks, promptTokens: lengthTokens + chunks * update, maxTokens: memory },
    { count: further, promptTokens: further * (answer + memory), maxTokens: memory },
  ]
}

/** Answering from as much text as one window holds. */
export function estimateExcerpts(textTokens: number, profile: ModelProfile): CostEstimate {
  const { budget } = profile
  const mostText = mostTokensOfText(profile)
  const tokens = Math.min(textTokens, mostText)
  if (tokens === 0) return { calls: 0, promptTokens: 0, completionTokens: 0 }
  if (!hasInstructions(profile)) {
    const chunk = Math.min(budget.chunk, mostText)
    const reading = estimateReading(tokens, Math.ceil(tokens / (sectionFill * chunk)), profile)
    // A longer question leaves less room for text.
    const spared = Math.min(budget.question, Math.max(0, textTokens - mostText + budget.question))
    return { ...reading, promptTokens: reading.promptTokens - spared }
  }
  const overhead = overheadOf(answerPrompt({ question: '', text: '' }), profile) + budget.question
  return {
    calls: 1,
    promptTokens: Math.min(tokens + overhead, budget.window - budget.output),
    completionTokens: budget.output,
  }
}

/** Text that fits the window beside instructions, answer and the shortest question. */
export function mostTokensOfText(profile: ModelProfile): number {
  const { budget } = profile
  const messages = hasInstructions(profile) ? answerPrompt({ question: '', text: '' }) : firstUpdate(profile)
  const instructions = overheadOf(messages, profile) - overheadOf([], profile)
  return Math.max(0, budget.window - budget.output - instructions)
}

/** The prompt of a first chunk, without question and chunk. */
export function firstUpdate(profile: ModelProfile): Message[] {
  const prompts = ownPrompts(profile)
  return prompts.messages('update', { question: '', memory: prompts.text('emptyMemory', {}), section: '' })
}
