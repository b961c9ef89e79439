/** Upper estimates of a reading before any call, from the budget, with question, notes and answers at their longest. */
import type { Message } from '../chat/message.ts'
import type { ModelProfile } from '../chat/profile.ts'
import { templateReserve } from '../chat/prompt-tokens.ts'
import { createEstimateTokenizer } from '../tokenizers/estimate.ts'
import { memoriesIn, promptsFor } from '../workflows/prompts/prompts.ts'
import type { Workflow } from '../workflows/workflow.ts'
import { leastChunk } from './adaptive-memory.ts'

/** Least average fill of chunks that end at paragraphs; single ones may be emptier. */
const naturalFill = 2 / 3
/** Tokens that the chat templates of models without instructions add; other templates may add a system message. */
const bareTemplate = 8

export interface ReadingEstimate {
  readonly calls: number
  readonly promptTokens: number
  readonly completionTokens: number
}

/** Number of chunks of a text with the profile's chunking. */
export function chunksOf(lengthTokens: number, chunk: number, chunking: ModelProfile['chunking']): number {
  return Math.ceil(lengthTokens / (chunk * (chunking === 'exact' ? 1 : naturalFill)))
}

/** Tokens of these messages, estimated from characters, and of a chat template. */
export function tokensAtLeast(messages: readonly Message[], hasInstructions: boolean): number {
  const tokenizer = createEstimateTokenizer()
  const template = hasInstructions ? templateReserve : bareTemplate
  return messages.reduce((sum, { content }) => sum + (tokenizer.count(content) as number), template)
}

/** Whether there are words besides the markers. */
export function holdsInstructions(messages: readonly Message[], markers: readonly string[]): boolean {
  const text = messages.map(({ content }) => content).join('\n')
  return /\p{L}/u.test(markers.reduce((rest, marker) => rest.replaceAll(marker, ''), text))
}

/** How a reading is done, besides its budget. */
export interface ReadingManner {
  /** Chunks asked about at the same time. @default 1 */
  readonly ahead?: number | undefined
  /** The answer is asked for again, with what the window has left, if the first response has none. @default false */
  readonly asksAgain?: boolean | undefined
}

/** A reading chunk by chunk with a memory, and the answer from it. */
export function estimateReading(
  lengthTokens: number,
  chunks: number,
  profile: ModelProfile,
  workflow: Pick<Workflow, 'name' | 'prompts' | 'callsPerChunk' | 'estimate' | 'unchanged'>,
  manner: ReadingManner = {},
): ReadingEstimate {
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
  const isInstructed = empty.some(({ messages }) => holdsInstructions(messages, prompts.markers))
  /** Tokens of the longest conversation with or without a section, not counting the section itself. */
  const longest = (hasSection: boolean) =>
    Math.max(
      0,
      ...empty
        .filter((one) => one.hasSection === hasSection)
        .map((one) => tokensAtLeast(one.messages, isInstructed) + question + one.memories * memory),
    )
  const [update, answer] = [longest(true), longest(false)]
  const reading =
    workflow.estimate?.({ tokens: lengthTokens, chunks }, profile.budget, profile).map((one) => {
      const { messages } = empty.find(({ name }) => name === one.template)!
      return {
        ...one,
        promptTokens: one.count * (tokensAtLeast(messages, isInstructed) + question) + one.filled,
      }
    }) ?? usualCalls({ lengthTokens, chunks, callsPerChunk, memory }, update, answer)
  // Reading ahead wastes at most as many steps as it takes.
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

/**
 * One call a chunk with its text. Further calls have the text again, or only the memory, which may be twice its budget before it
 * is consolidated.
 */
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
  const withSections = lengthTokens + chunks * update
  const further = Math.max(withSections, chunks * (answer + memory))
  return [
    { count: chunks, promptTokens: withSections, maxTokens: memory },
    { count: chunks * (callsPerChunk - 1), promptTokens: (callsPerChunk - 1) * further, maxTokens: memory },
  ]
}
