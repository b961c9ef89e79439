/** Settings of a call. What would change the kind of answer is refused; what only affects sampling causes a warning. */
import {
  type LanguageModelV3CallOptions,
  type SharedV3Warning,
  UnsupportedFunctionalityError,
} from '@ai-sdk/provider'
import { ConfigurationError, type Sampling } from '@memagent/core'

export interface CallSettings {
  readonly question?: string | undefined
  readonly maxTokens?: number | undefined
  readonly sampling: Sampling
  /** For a conversation that goes to the model as it is. */
  readonly stop?: readonly string[] | undefined
}

/** @throws UnsupportedFunctionalityError, ConfigurationError */
export function checkSettings(call: LanguageModelV3CallOptions): {
  readonly settings: CallSettings
  readonly warnings: SharedV3Warning[]
} {
  if (call.tools?.length && call.toolChoice?.type !== 'none') throw unsupported('tools')
  if (call.responseFormat?.type === 'json') throw unsupported('output that is JSON')
  const { temperature, topP, seed } = call
  // Of AI SDK 7, which hands it to models of version 3, too.
  const { reasoning } = call as { readonly reasoning?: string }
  const unheeded = {
    reasoning: reasoning === 'provider-default' ? undefined : reasoning,
    topK: call.topK,
    presencePenalty: call.presencePenalty || undefined,
    frequencyPenalty: call.frequencyPenalty || undefined,
  }
  const warnings: SharedV3Warning[] = Object.entries(unheeded)
    .filter(([, value]) => value !== undefined)
    .map(([feature]) => ({ type: 'unsupported', feature }))
  if (call.stopSequences?.length) {
    const details = 'They end the response to a conversation that fits the window, and no other.'
    warnings.push({ type: 'compatibility', feature: 'stopSequences', details })
  }
  return {
    warnings,
    settings: {
      question: questionOf(call.providerOptions?.memagent),
      maxTokens: call.maxOutputTokens,
      sampling: { temperature, topP, seed },
      stop: call.stopSequences,
    },
  }
}

function questionOf(options: Readonly<Record<string, unknown>> | undefined): string | undefined {
  for (const name of Object.keys(options ?? {})) {
    if (name !== 'question') throw wrongOption(`There is no option ${JSON.stringify(name)}`)
  }
  const question = options?.question
  if (question === undefined) return undefined
  if (typeof question === 'string' && question.trim() !== '') return question.trim()
  throw wrongOption('question takes a text that is not empty')
}

const wrongOption = (why: string) =>
  new ConfigurationError({
    code: 'ai-sdk/provider-options',
    message: `providerOptions.memagent: ${why}.`,
    hint: 'It takes { question }.',
  })

/** @param functionality what is not supported: `tools` */
export const unsupported = (functionality: string): UnsupportedFunctionalityError =>
  new UnsupportedFunctionalityError({
    functionality,
    message: `memagent does not support ${functionality}: it reads texts and answers in words.`,
  })
