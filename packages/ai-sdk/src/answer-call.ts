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
  type ChatResult,
  type ConversationPlan,
  type ConversationReader,
  checkedResult,
  chooseSampling,
  conversationReading,
  type DirectPlan,
  type FinishReason,
  planConversation,
  type ReadingEvent,
  type ReadingPlan,
  readDocument,
  type TokenUsage,
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
  const { turns, files } = await promptTurns(prompt)
  const { question, maxTokens } = settings
  const plan = await asked(() => planConversation({ turns, question, maxTokens }, reader, signal))
  return plan.kind === 'direct'
    ? answerDirectly(plan, reader, settings, signal)
    : answerByReading(plan, reader, { ...settings, files, signal })
}

async function* answerDirectly(
  { messages, maxTokens, remarks }: DirectPlan & Remarked,
  { model, profile }: ConversationReader,
  { sampling, stop }: CallSettings,
  signal: AbortSignal | undefined,
): AsyncGenerator<AnswerPart> {
  const chosen = chooseSampling(sampling, profile?.sampling)
  const given = await model.generate(messages, { ...chosen, maxTokens, stop, signal })
  const result = checkedResult(model.name, given)
  if (result.reasoning) yield { type: 'reasoning', text: result.reasoning }
  yield directEnd(result, { remarks })
}

const directEnd = ({ text, finishReason, usage }: ChatResult, { remarks }: Remarked): AnswerEnd => ({
  type: 'end',
  text,
  sources: [],
  finishReason: finishReasonOf(finishReason),
  usage: usageOf(usage),
  providerMetadata: { memagent: { read: false, ...remarked(remarks) } },
})

type Remarked = Pick<ConversationPlan, 'remarks'>

const remarked = (remarks: Remarked['remarks']) =>
  remarks && { remarks: remarks.map(({ message }) => message) }

interface ReadingSettings extends CallSettings {
  readonly files: readonly PromptFile[]
  readonly signal: AbortSignal | undefined
}

async function* answerByReading(
  plan: ReadingPlan & Remarked,
  reader: ConversationReader,
  { files, ...settings }: ReadingSettings,
): AsyncGenerator<AnswerPart> {
  const events = readDocument(conversationReading(plan, reader, settings))
  for await (const event of events) {
    if (event.type === 'memory-end' && event.changed) {
      yield { type: 'reasoning', text: event.memory, step: event.step }
    }
    if (event.type === 'answer') yield readEnd(event, plan, files)
  }
}

function readEnd(
  { answer, warnings, memory, steps, usage, unread, provenance }: Extract<ReadingEvent, { type: 'answer' }>,
  { question, questionFrom, instructions, remarks }: ReadingPlan & Remarked,
  files: readonly PromptFile[],
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
