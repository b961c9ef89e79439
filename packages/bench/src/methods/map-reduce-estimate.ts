/** Upper estimate for map-reduce: all notes at full length, merged level by level. */
import { chunksOf, type ModelProfile } from '@memagent/core'
import type { CostEstimate } from '../method.ts'
import { firstUpdate, overheadOf } from './estimates.ts'
import { answerPrompt, hasInstructions, mergePrompt, notePrompt, ownPrompts } from './prompts.ts'

/** Between notes. */
const gapTokens = 2

export function estimateMapReduce(lengthTokens: number, profile: ModelProfile): CostEstimate {
  const { budget, chunking } = profile
  const { memory, output, question } = budget
  const sizes = sizesOf(profile)
  const chunks = chunksOf(lengthTokens, sizes.chunk, chunking)
  if (chunks === 0) return { calls: 0, promptTokens: 0, completionTokens: 0 }
  let calls = chunks
  let promptTokens = lengthTokens + chunks * (sizes.note + question)
  const noteTokens = memory + gapTokens
  const groupSize = Math.max(2, Math.floor(sizes.merge / noteTokens))
  let notes = chunks
  while (notes > 1 && notes * noteTokens > sizes.answerRoom) {
    const groups = Math.ceil(notes / groupSize)
    calls += groups
    promptTokens += notes * noteTokens + groups * (sizes.mergeOverhead + question)
    notes = groups
  }
  return {
    calls: calls + 1,
    promptTokens: promptTokens + Math.min(notes * noteTokens, sizes.answerRoom) + sizes.answer + question,
    completionTokens: calls * memory + output,
  }
}

/** Tokens of the instructions, and the room in the prompts. */
function sizesOf(profile: ModelProfile) {
  const { budget } = profile
  const { window, question, memory, output } = budget
  if (!hasInstructions(profile)) {
    const update = overheadOf(firstUpdate(profile), profile)
    const chunk = Math.min(budget.chunk, Math.max(1, window - update - question - 2 * memory))
    const answer = overheadOf(ownPrompts(profile).messages('answer', { question: '', memory: '' }), profile)
    return { note: update, mergeOverhead: update, answer, chunk, merge: chunk, answerRoom: memory }
  }
  const note = overheadOf(notePrompt({ question: '', text: '' }), profile)
  const mergeOverhead = overheadOf(mergePrompt({ question: '', notes: '' }), profile)
  const answer = overheadOf(answerPrompt({ question: '', text: '' }), profile)
  return {
    note,
    mergeOverhead,
    answer,
    chunk: Math.min(budget.chunk, Math.max(1, window - note - question - memory)),
    merge: window - mergeOverhead - question - memory,
    answerRoom: window - answer - question - output,
  }
}
