/** Wraps a frozen policy as a chat model, so training reads with the same workflow objects as inference. */
import type { ChatModel, ModelProfile } from '@memagent/core'
import type { FrozenPolicy } from '../policy/policy.ts'
import type { ReaderTokens } from './reader-tokens.ts'

export interface PolicyChatModelOptions {
  readonly name: string
  readonly policy: Pick<FrozenPolicy, 'sample'>
  readonly tokens: ReaderTokens
  readonly profile: ModelProfile
}

/** Results carry the tokens and log-probabilities that training learns from. */
export function createPolicyChatModel({ name, policy, profile, tokens }: PolicyChatModelOptions): ChatModel {
  const { tokenizer, conversation, endToken } = tokens
  return {
    name,
    tokenizer,
    profile,
    countPromptTokens: (messages) => conversation.prompt(messages).tokens.length,
    async generate(messages, chat) {
      const { text, tokens: promptTokens } = conversation.prompt(messages)
      const draft = chat.draft === undefined ? undefined : conversation.response(messages, text, chat.draft)
      const request = {
        promptTokens,
        draftTokens: draft,
        maxTokens: chat.maxTokens,
        temperature: chat.temperature ?? 1,
        topP: chat.topP ?? 1,
        seed: chat.seed ?? 0,
        stopTokens: [endToken],
      }
      const { tokens: responseTokens, logprobs, stopReason } = await policy.sample(request, chat.signal)
      const said = responseTokens.at(-1) === endToken ? responseTokens.slice(0, -1) : [...responseTokens]
      return {
        text: tokenizer.decode(said),
        usage: { promptTokens: promptTokens.length, completionTokens: responseTokens.length },
        finishReason: { unified: stopReason, raw: stopReason },
        tokens: { promptTokens, responseTokens, logprobs },
        ...(chat.logprobs &&
          logprobs && {
            logprobs: [...responseTokens].map((id, i) => ({
              token: tokenizer.decode([id]),
              id,
              logprob: logprobs[i]!,
            })),
          }),
      }
    },
  }
}
