/** The answer to a request, before a protocol formats it. */
import {
  answerText,
  type ChatResult,
  type ReadingEvent,
  type ReadingPlan,
  type TokenUsage,
  unknownEnd,
  warningsOfAnswer,
} from '@memagent/core'
import { z } from 'zod'

export type AnswerEvent = Extract<ReadingEvent, { type: 'answer' }>

/** Our own field in every protocol: how the answer came about. */
export const memagentReply = z
  .object({
    read: z.boolean().describe('False: the conversation went to the model as it is'),
    question: z.string().optional().describe('As it was asked'),
    question_from: z.string().optional().describe('Where in the request it was'),
    instructions: z.enum(['with-question', 'in-text']).optional(),
    outcome: z.enum(['found', 'not-found', 'unsure']).optional(),
    answered: z.boolean().optional().describe('False: the content is a sentence that says so'),
    warnings: z.array(z.object({ code: z.string(), message: z.string() })).optional(),
    memory: z.string().optional(),
    steps: z.int().optional().describe('Chunks read'),
    calls: z.int().optional(),
    from_cache: z
      .object({ calls: z.int(), prompt_tokens: z.int().optional(), completion_tokens: z.int().optional() })
      .optional()
      .describe('Calls that were answered from the cache: beside `calls`, which the model answered'),
    unread: z.looseObject({}).optional().describe('What of the text was not read'),
    sources: z.array(z.looseObject({ quote: z.string(), file: z.string() })).optional(),
    remarks: z.array(z.string()).optional().describe('What could not be read of files'),
  })
  .meta({ id: 'HowItWasAnswered' })

export interface Completion {
  readonly content: string
  /** The last memory, or the model's reasoning. */
  readonly reasoning?: string | undefined
  readonly finishReason: 'stop' | 'length' | 'refusal'
  /** The sum of all calls; undefined if the model's server did not report that of each. */
  readonly usage: TokenUsage | undefined
  readonly memagent: z.infer<typeof memagentReply>
}

/** @param maxTokens that the reply was limited to */
export function directCompletion(result: ChatResult, maxTokens: number): Completion {
  const { text, reasoning, usage, finishReason } = result
  const isOther = finishReason.unified === 'other'
  // As in readings: a reply of full length counts as cut off if the server does not say why it ended.
  const isFull = usage !== undefined && usage.completionTokens >= maxTokens
  return {
    content: text,
    reasoning,
    finishReason: finishReason.unified === 'other' ? (isFull ? 'length' : 'stop') : finishReason.unified,
    usage,
    memagent: {
      read: false,
      ...(isOther &&
        !isFull && {
          warnings: [
            { code: 'unknown-end', message: `${unknownEnd(finishReason)}: the reply may be cut off.` },
          ],
        }),
    },
  }
}

export function readCompletion(event: AnswerEvent, plan: ReadingPlan): Completion {
  const { answer, warnings, memory, steps, usage, unread, provenance } = event
  const { fromCache } = usage
  return {
    content: answerText(answer, unread !== undefined),
    reasoning: memory,
    finishReason: answer.finishReason?.unified === 'length' ? 'length' : 'stop',
    usage: usage.unreportedCalls ? undefined : usage,
    memagent: {
      read: true,
      question: plan.question,
      question_from: plan.questionFrom,
      instructions: plan.instructions,
      outcome: answer.outcome,
      answered: answer.text !== '',
      warnings: [...warningsOfAnswer(warnings)],
      memory,
      steps,
      calls: usage.calls,
      from_cache: fromCache && {
        calls: fromCache.calls,
        ...(!fromCache.unreportedCalls && {
          prompt_tokens: fromCache.promptTokens,
          completion_tokens: fromCache.completionTokens,
        }),
      },
      unread: unread && { ...unread },
      sources: provenance?.answer?.flatMap(({ sources }) => sources.map((source) => ({ ...source }))),
    },
  }
}
