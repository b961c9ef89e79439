/** A language model of the AI SDK over a chat model of memagent. */
import type {
  LanguageModelV3,
  LanguageModelV3CallOptions,
  LanguageModelV3GenerateResult,
  LanguageModelV3StreamResult,
} from '@ai-sdk/provider'
import {
  type ChatModel,
  ConfigurationError,
  type ConversationReader,
  checkProfile,
  defaultWorkflowOf,
  type ModelProfile,
  paperProfile,
  profileFor,
  type Workflow,
  workflowNamed,
} from '@memagent/core'
import { type AnswerPart, answerCall } from './answer-call.ts'
import { checkSettings } from './call-settings.ts'
import { streamOf, streamParts } from './stream-parts.ts'

export interface MemAgentModelOptions {
  readonly model: ChatModel
  /** How to read texts beyond the window: a workflow, or the name of one. @default the model's, else `overwrite` */
  readonly workflow?: string | Workflow | undefined
  /** Window and prompts. @default the model's, else the paper's */
  readonly profile?: ModelProfile | undefined
}

/**
 * A model without a context limit, for `generateText` and `streamText` of AI SDK 6 and 7. Conversations that fit the
 * window go to the model as they are; longer ones, with their files, are read and answered from the memory.
 *
 * Its calls throw: `ConversationError` if the question cannot be told from the text, `UnsupportedFunctionalityError` for what
 * would change the answer and is not supported, and errors of the model and of files as `readDocument` does.
 * @throws ConfigurationError if `model`, `workflow` or `profile` is none; the name of no workflow is one of the first call
 */
export function createMemAgentModel(options: MemAgentModelOptions): LanguageModelV3 {
  checkOptions(options)
  const start = async (call: LanguageModelV3CallOptions, signal: AbortSignal | undefined) => {
    const { warnings, settings } = checkSettings(call)
    const parts = await answerCall(call.prompt, await readerOf(options), settings, signal)
    return { warnings, parts }
  }
  return {
    specificationVersion: 'v3',
    provider: 'memagent',
    modelId: options.model.name,
    // None: the SDK downloads what a conversation links to, in the program that asked.
    supportedUrls: {},
    async doGenerate(call): Promise<LanguageModelV3GenerateResult> {
      const { warnings, parts } = await start(call, call.abortSignal)
      return { ...(await wholeOf(parts)), warnings, response: { modelId: options.model.name } }
    },
    async doStream(call): Promise<LanguageModelV3StreamResult> {
      const leaving = new AbortController()
      const signal = AbortSignal.any([leaving.signal, ...(call.abortSignal ? [call.abortSignal] : [])])
      const { warnings, parts } = await start(call, signal)
      const stream = streamParts(parts, { warnings, modelId: options.model.name, signal })
      return { stream: streamOf(stream, (reason) => leaving.abort(reason)) }
    },
  }
}

function checkOptions({ model, workflow, profile }: Partial<MemAgentModelOptions> = {}): void {
  if (typeof model?.generate !== 'function') {
    throw new ConfigurationError({
      code: 'ai-sdk/bad-model',
      message: 'The option model is no chat model of memagent.',
      hint: 'createOpenAICompatibleModel and createOllamaModel of @memagent/core make one; models of the AI SDK do not fit.',
    })
  }
  if (workflow !== undefined && typeof workflow !== 'string' && typeof workflow?.read !== 'function') {
    throw new ConfigurationError({
      code: 'ai-sdk/bad-workflow',
      message: 'The option workflow is neither a workflow nor the name of one.',
      hint: "'edits' is one; `await workflowNamed('edits')` of @memagent/core gives it.",
    })
  }
  if (profile !== undefined) checkProfile(profile)
}

async function readerOf({ model, workflow, profile }: MemAgentModelOptions): Promise<ConversationReader> {
  const known = profile ?? model.profile
  const chosen =
    workflow === undefined
      ? await defaultWorkflowOf(known ?? paperProfile)
      : typeof workflow === 'string'
        ? await workflowNamed(workflow)
        : workflow
  return { model, workflow: chosen, profile: known ?? profileFor(chosen) }
}

/** Keeps only the last of the memories. */
async function wholeOf(parts: AsyncIterable<AnswerPart>) {
  let reasoning = ''
  for await (const part of parts) {
    if (part.type === 'reasoning') {
      reasoning = part.text
      continue
    }
    const { text, sources, finishReason, usage, providerMetadata } = part
    return {
      content: [
        ...(reasoning === '' ? [] : [{ type: 'reasoning' as const, text: reasoning }]),
        { type: 'text' as const, text },
        ...sources,
      ],
      finishReason,
      usage,
      providerMetadata,
    }
  }
  throw new Error('A call ended without its end.')
}
