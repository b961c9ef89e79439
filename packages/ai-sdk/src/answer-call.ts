/** Answers one call of the SDK: the model's reasoning as it comes, then the answer with all that is known about it. */
import type {
  LanguageModelV3FinishReason,
  LanguageModelV3Prompt,
  LanguageModelV3Source,
  LanguageModelV3Usage,
  SharedV3ProviderMetadata,
} from '@ai-sdk/provider'
import {
  answerText,
  askModel,
  type ChatResult,
  type ConversationReader,
  chooseSampling,
  conversationReading,
  type DirectPlan,
  type FinishReason,
  planConversation,
  type ReadingEvent,
  type ReadingPlan,
  readDocument,
  type TokenUsage,
  untilAborted,
  warningsOfAnswer,
} from '@memagent/core'
import { asked } from './asked.ts'
import type { CallSettings } from './call-settings.ts'
import { type PromptFile, promptTurns } from './prompt-turns.ts'
import { sourcesOf } from './sources.ts'

export type AnswerPart =
  /** A memory, after a chunk changed it; or what the model thought before it answered. */
  { readonly type: 'reasoning'; readonly text: string; readonly step?: number | undefined } | AnswerEnd

interface AnswerEnd {
  readonly type: 'end'
  readonly text: string
  readonly sources: LanguageModelV3Source[]
  readonly finishReason: LanguageModelV3FinishReason
  readonly usage: LanguageModelV3Usage
  readonly providerMetadata: SharedV3ProviderMetadata
}

/**
 * @returns parts, the last of which is the end
 * @throws ConversationError, UnsupportedFunctionalityError, DocumentError, before anything is read
 */
export async function answerCall(
  prompt: LanguageModelV3Prompt,
  reader: ConversationReader,
  settings: CallSettings,
  signal: AbortSignal | undefined,
): Promise<AsyncGenerator<AnswerPart>> {
  const { turns, files, remarks } = await promptTurns(prompt)
  const { question, maxTokens } = settings
  const plan = await asked(() => planConversation({ turns, question, maxTokens }, reader, signal))
  for (const { message } of plan.remarks ?? []) remarks.add(message)
  return plan.kind === 'direct'
    ? answerDirectly(plan, reader, { ...settings, remarks, signal })
    : answerByReading(plan, reader, { ...settings, files, remarks, signal })
}

async function* answerDirectly(
  { messages, maxTokens }: DirectPlan,
  { model, profile }: ConversationReader,
  { sampling, stop, remarks, signal }: AnswerSettings,
): AsyncGenerator<AnswerPart> {
  const chosen = chooseSampling(sampling, profile?.sampling)
  const call = askModel(model, messages, { ...chosen, maxTokens, stop, signal })
  // A model may not listen to the signal.
  const result = await (signal ? untilAborted(call, signal) : call)
  if (result.reasoning) yield { type: 'reasoning', text: result.reasoning }
  yield directEnd(result, remarks)
}

const directEnd = (
  { text, finishReason, usage }: ChatResult,
  remarks: AnswerSettings['remarks'],
): AnswerEnd => ({
  type: 'end',
  text,
  sources: [],
  finishReason: finishReasonOf(finishReason),
  usage: usageOf(usage),
  providerMetadata: { memagent: { read: false, ...remarked(remarks) } },
})

interface AnswerSettings extends CallSettings {
  /** What could not be read of files; complete once they were read. */
  readonly remarks: ReadonlySet<string>
  readonly signal: AbortSignal | undefined
}

const remarked = (remarks: AnswerSettings['remarks']) => remarks.size > 0 && { remarks: [...remarks] }

interface ReadingSettings extends AnswerSettings {
  readonly files: readonly PromptFile[]
}

async function* answerByReading(
  plan: ReadingPlan,
  reader: ConversationReader,
  { files, remarks, ...settings }: ReadingSettings,
): AsyncGenerator<AnswerPart> {
  const events = readDocument(conversationReading(plan, reader, settings))
  for await (const event of events) {
    if (event.type === 'memory-end' && event.changed) {
      yield { type: 'reasoning', text: event.memory, step: event.step }
    }
    if (event.type === 'answer') yield readEnd(event, plan, { files, remarks })
  }
}

function readEnd(
  { answer, warnings, memory, steps, usage, unread, provenance }: Extract<ReadingEvent, { type: 'answer' }>,
  { question, questionFrom, instructions }: ReadingPlan,
  { files, remarks }: Pick<ReadingSettings, 'files' | 'remarks'>,
): AnswerEnd {
  const metadata = {
    read: true,
    question,
    questionFrom,
    instructions,
    outcome: answer.outcome,
    warnings: warningsOfAnswer(warnings),
    ...remarked(remarks),
    memory,
    steps,
    calls: usage.calls,
    unread,
  }
  return {
    type: 'end',
    text: answerText(answer, unread !== undefined),
    sources: sourcesOf(provenance?.answer ?? [], files),
    finishReason: finishReasonOf(answer.finishReason ?? { unified: 'stop', raw: undefined }),
    usage: usageOf(usage.unreportedCalls ? undefined : usage),
    // Drops undefined fields.
    providerMetadata: { memagent: JSON.parse(JSON.stringify(metadata)) },
  }
}

const finishReasonOf = ({ unified, raw }: FinishReason): LanguageModelV3FinishReason => ({
  unified: unified === 'refusal' ? 'content-filter' : unified,
  raw,
})

/** Usage of all calls together. */
export const usageOf = (usage: TokenUsage | undefined): LanguageModelV3Usage => {
  const cacheRead = usage?.cachedPromptTokens
  return {
    inputTokens: {
      total: usage?.promptTokens,
      noCache: usage && cacheRead !== undefined ? usage.promptTokens - cacheRead : undefined,
      cacheRead,
      cacheWrite: undefined,
    },
    outputTokens: { total: usage?.completionTokens, text: undefined, reasoning: undefined },
  }
}
