/** What reading a text will take, by going through it without calling the model. */
import type { ChatModel } from '../chat/chat.ts'
import type { ModelProfile } from '../chat/profile.ts'
import { chunkDocument } from '../chunking/chunk-document.ts'
import type { TextDocument } from '../documents/document.ts'
import { requireText, type TextRemark } from '../documents/require-text.ts'
import { bytesOf } from '../retrieval/byte-ranges.ts'
import { createEstimateTokenizer } from '../tokenizers/estimate.ts'
import { promptsFor } from '../workflows/prompts/prompts.ts'
import type { Workflow } from '../workflows/workflow.ts'
import { asInPrompt } from './chunk-source.ts'
import { estimateReading, type ReadingEstimate } from './estimate-reading.ts'

export interface EstimateOptions {
  readonly document: TextDocument
  readonly model: Pick<ChatModel, 'tokenizer'>
  readonly profile: ModelProfile
  readonly workflow: Workflow
  /** Questions read side by side. @default 1 */
  readonly questions?: number | undefined
  /** Chunks asked about at the same time. @default 1 */
  readonly ahead?: number | undefined
  readonly onRemark?: ((remark: TextRemark) => void) | undefined
  readonly signal?: AbortSignal | undefined
}

export interface DocumentEstimate {
  readonly bytes: number
  /** Tokens of the text, as prompts show it. */
  readonly tokens: number
  /** False if tokens are estimated from characters. */
  readonly isExact: boolean
  readonly chunks: number
  /** Calls for one pass and one answer, for all questions. */
  readonly calls: number
  /** With the further calls that news asks for, and everything at its longest. */
  readonly most: ReadingEstimate
}

/** @throws DocumentError for a text that cannot be read or is empty; the signal's reason */
export async function estimateDocument({
  document,
  model,
  profile,
  workflow,
  questions = 1,
  ahead = 1,
  onRemark,
  signal,
}: EstimateOptions): Promise<DocumentEstimate> {
  const tokenizer = model.tokenizer ?? createEstimateTokenizer()
  const asRead = asInPrompt(tokenizer, promptsFor(workflow, profile.prompts))
  const cut = { maxTokens: profile.budget.chunk, mode: profile.chunking, tokenizer: asRead, signal }
  let [bytes, tokens, chunks] = [0, 0, 0]
  for await (const chunk of chunkDocument(requireText(document, onRemark), cut)) {
    signal?.throwIfAborted()
    bytes += bytesOf(chunk.ranges)
    tokens += chunk.tokens
    chunks++
  }
  const one = estimateReading(tokens, chunks, profile, workflow, { ahead, asksAgain: true })
  return {
    bytes,
    tokens,
    isExact: tokenizer.isExact,
    chunks,
    calls: questions * Math.min(chunks + 1, one.calls - 1),
    most: {
      calls: questions * one.calls,
      promptTokens: questions * one.promptTokens,
      completionTokens: questions * one.completionTokens,
    },
  }
}
