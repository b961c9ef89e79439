/** Upper estimates made before any call, with questions, notes and answers as long as the budget allows. */
import { estimateReading, type Message, type ModelProfile, overwrite, tokensAtLeast } from '@memagent/core'
import type { CostEstimate } from '../method.ts'
import { answerPrompt, hasInstructions, ownPrompts } from './prompts.ts'

/** Lowest average fill of sections assembled from excerpts. */
const sectionFill = 3 / 4

/** Tokens of a prompt's instructions and structure, estimated by characters, and of a template. */
export const overheadOf = (messages: readonly Message[], profile: ModelProfile): number =>
  tokensAtLeast(messages, hasInstructions(profile))

/** For one answer from as much text as a window holds. */
export function estimateExcerpts(textTokens: number, profile: ModelProfile): CostEstimate {
  const { budget } = profile
  const mostText = mostTokensOfText(profile)
  const tokens = Math.min(textTokens, mostText)
  if (tokens === 0) return { calls: 0, promptTokens: 0, completionTokens: 0 }
  if (!hasInstructions(profile)) {
    const chunk = Math.min(budget.chunk, mostText)
    const reading = estimateReading(tokens, Math.ceil(tokens / (sectionFill * chunk)), profile, overwrite)
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

/** Tokens of text that fit the window beside instructions, answer and the shortest question. */
export function mostTokensOfText(profile: ModelProfile): number {
  const { budget } = profile
  const messages = hasInstructions(profile) ? answerPrompt({ question: '', text: '' }) : firstUpdate(profile)
  const instructions = overheadOf(messages, profile) - overheadOf([], profile)
  return Math.max(0, budget.window - budget.output - instructions)
}

/** The first chunk's prompt, without question and chunk. */
export function firstUpdate(profile: ModelProfile): Message[] {
  const prompts = ownPrompts(profile)
  return prompts.messages('update', { question: '', memory: prompts.text('emptyMemory', {}), section: '' })
}
