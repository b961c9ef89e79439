/** What a request is answered with, before a protocol puts it into its form. */
import {
  answerText,
  type ChatResult,
  type ReadingEvent,
  type ReadingPlan,
  type TokenUsage,
} from '@memagent/core'

export type AnswerEvent = Extract<ReadingEvent, { type: 'answer' }>

export interface Completion {
  readonly content: string
  /** The last memory, or what the model thought aloud. */
  readonly reasoning?: string | undefined
  readonly finishReason: 'stop' | 'length' | 'refusal'
  /** Of all calls together. Undefined where the model's server reports none. */
  readonly usage: TokenUsage | undefined
  /** Ours: how the answer came about. */
  readonly memagent: Readonly<Record<string, unknown>>
}

export function directCompletion({ text, reasoning, usage, finishReason }: ChatResult): Completion {
  const { unified } = finishReason
  return {
    content: text,
    reasoning,
    finishReason: unified === 'other' ? 'stop' : unified,
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
      from_cache: usage.fromCache && {
        calls: usage.fromCache.calls,
        prompt_tokens: usage.fromCache.promptTokens,
        completion_tokens: usage.fromCache.completionTokens,
      },
      unread,
      sources: provenance?.answer?.flatMap(({ sources }) => sources),
    },
  }
}
