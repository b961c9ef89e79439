/** Upper estimates before any call: by the budget, with questions, notes and answers at their longest. */
import {
  createEstimateTokenizer,
  type Message,
  type ModelProfile,
  overwrite,
  promptsFor,
  templateReserve,
  type WindowBudget,
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

/** Reading chunk by chunk with a memory, and answering from it. */
export function estimateReading(
  lengthTokens: number,
  chunks: number,
  profile: ModelProfile,
  workflow: Pick<Workflow, 'name' | 'prompts' | 'callsPerChunk'> = overwrite,
): CostEstimate {
  const { question, memory, output } = profile.budget
  const { callsPerChunk = 1 } = workflow
  const prompts = promptsFor(workflow, profile.prompts)
  const empty = Object.entries(workflow.prompts.conversations).map(([name, places]) => {
    const messages = prompts.messages(name, Object.fromEntries(places.map((place) => [place, ''])))
    return { messages, hasSection: places.includes('section') }
  })
  const template = empty.some(({ messages }) => holdsInstructions(messages, prompts.markers))
    ? templateReserve
    : bareTemplate
  /** Tokens of the longest conversation, with a section or without one. */
  const overhead = (hasSection: boolean) =>
    Math.max(
      0,
      ...empty.filter((one) => one.hasSection === hasSection).map((one) => tokensOf(one.messages, template)),
    )
  const update = overhead(true) + question + memory
  const answer = overhead(false) + question + memory
  // About the memory alone, which may be twice its length before it is made shorter.
  const further = chunks * (callsPerChunk - 1)
  return {
    calls: chunks * callsPerChunk + 1,
    promptTokens: lengthTokens + chunks * update + further * (answer + memory) + answer,
    completionTokens: (chunks + further) * memory + output,
  }
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

/** Default tokens per passage: half a passage holds a sentence, and none is longer than embedding models accept. */
export function passageTokensOf({ chunk }: WindowBudget): number {
  return Math.max(48, Math.min(256, Math.floor(chunk / 4)))
}
