/** What `/v1/chat/completions` gives back: whole, or in pieces. */
import { answerText, type ChatResult, type ReadingEvent, type TokenUsage } from '@memagent/core'
import type { ReadingPlan } from '../gateway/plan.ts'

export type AnswerEvent = Extract<ReadingEvent, { type: 'answer' }>

/** What one request was answered with. */
export interface Completion {
  readonly content: string
  readonly reasoning?: string | undefined
  readonly finishReason: 'stop' | 'length' | 'content_filter'
  readonly usage: TokenUsage | undefined
  /** Ours: how the answer came about. */
  readonly memagent: Readonly<Record<string, unknown>>
}

export function directCompletion({ text, reasoning, usage, finishReason }: ChatResult): Completion {
  const reasons = { stop: 'stop', length: 'length', refusal: 'content_filter', other: 'stop' } as const
  return {
    content: text,
    reasoning,
    finishReason: reasons[finishReason.unified],
    usage,
    memagent: { read: false },
  }
}

export function readCompletion(event: AnswerEvent, plan: ReadingPlan): Completion {
  const { answer, warnings, memory, steps, usage, unread, provenance } = event
  return {
    content: answerText(answer, unread !== undefined),
    reasoning: memory,
    finishReason: answer.finishReason?.unified === 'length' ? 'length' : 'stop',
    usage,
    memagent: {
      read: true,
      question: plan.question,
      question_from: plan.questionFrom,
      instructions: plan.instructions,
      outcome: answer.outcome,
      warnings: warnings
        .filter(({ touchesAnswer }) => touchesAnswer)
        .map(({ code, message }) => ({ code, message })),
      memory,
      steps,
      calls: usage.calls,
      unread,
      sources: provenance?.answer?.flatMap(({ sources }) => sources),
    },
  }
}

export interface Head {
  readonly id: string
  /** Seconds since 1970. */
  readonly created: number
  readonly model: string
}

export const chatBody = (head: Head, completion: Completion) => ({
  id: head.id,
  object: 'chat.completion',
  created: head.created,
  model: head.model,
  choices: [
    {
      index: 0,
      message: {
        role: 'assistant',
        content: completion.content,
        ...(completion.reasoning && { reasoning_content: completion.reasoning }),
        refusal: null,
      },
      logprobs: null,
      finish_reason: completion.finishReason,
    },
  ],
  usage: usageBody(completion.usage),
  memagent: completion.memagent,
})

/** Of all calls together. Undefined where the model's server reports none. */
export const usageBody = (usage: TokenUsage | undefined) =>
  usage && {
    prompt_tokens: usage.promptTokens,
    completion_tokens: usage.completionTokens,
    total_tokens: usage.promptTokens + usage.completionTokens,
    ...(usage.cachedPromptTokens !== undefined && {
      prompt_tokens_details: { cached_tokens: usage.cachedPromptTokens },
    }),
  }

export interface Delta {
  readonly role?: 'assistant'
  readonly content?: string
  readonly reasoning_content?: string
}

export const chunkBody = (
  head: Head,
  delta: Delta,
  finishReason: Completion['finishReason'] | null = null,
  more: Readonly<Record<string, unknown>> = {},
) => ({
  id: head.id,
  object: 'chat.completion.chunk',
  created: head.created,
  model: head.model,
  choices: [{ index: 0, delta, logprobs: null, finish_reason: finishReason }],
  ...more,
})
