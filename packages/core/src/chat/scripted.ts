/**
 * A chat model that answers from a script, for tests and examples. It records every call, can enforce a window, and
 * throws when the script has run out.
 */
import { ChatError, OverlongPromptError } from '../errors.ts'
import type { Tokenizer } from '../tokenizers/tokenizer.ts'
import { untilAborted } from '../waiting.ts'
import type { ChatModel, ChatOptions, ChatResult } from './chat.ts'
import { checkCall } from './check-call.ts'
import type { Message } from './message.ts'
import type { ModelProfile } from './profile.ts'

/** A text, a whole or partial result, or an error to throw. */
export type ScriptedReply = string | Partial<ChatResult> | Error

export interface ScriptedCall {
  readonly messages: readonly Message[]
  readonly options: ChatOptions
  /** Number of the call, from 0, in order of arrival. */
  readonly index: number
}

/** Replies in the order of the calls, or a function of the call. */
export type Script =
  | readonly ScriptedReply[]
  | ((call: ScriptedCall) => ScriptedReply | Promise<ScriptedReply>)

export interface ScriptedModelOptions {
  /** @default 'scripted' */
  readonly name?: string | undefined
  /** Counts prompts and replies. @default words, each with the white space before it */
  readonly tokenizer?: Tokenizer | undefined
  /** Rejects prompts when prompt + maxTokens exceeds it, as a server does. @default no limit */
  readonly contextWindow?: number | undefined
  readonly profile?: ModelProfile | undefined
}

export interface ScriptedModel extends ChatModel {
  readonly calls: readonly ScriptedCall[]
  countPromptTokens(messages: readonly Message[]): number
}

/** One token per word; it can count but not decode. */
const wordTokenizer: Tokenizer = {
  name: 'words',
  isExact: true,
  count: (text) => words(text).length,
}

/** @throws ChatError (`scripted/dry`) from the first call that finds no reply left in a list */
export function createScriptedModel(script: Script, options: ScriptedModelOptions = {}): ScriptedModel {
  const { contextWindow, profile } = options
  const tokenizer = options.tokenizer ?? wordTokenizer
  const calls: ScriptedCall[] = []

  const count = (text: string): number => {
    const tokens = tokenizer.count(text)
    if (typeof tokens === 'number') return tokens
    throw new ChatError({
      code: 'scripted/tokenizer',
      message: `A scripted model needs a tokenizer that counts at once; "${tokenizer.name}" does not`,
    })
  }
  const countPromptTokens = (messages: readonly Message[]) =>
    messages.reduce((sum, message) => sum + count(message.content), 0)

  return {
    name: options.name ?? 'scripted',
    tokenizer,
    profile,
    calls,
    countPromptTokens,

    async generate(messages, callOptions) {
      checkCall(messages, callOptions)
      const call: ScriptedCall = { messages, options: callOptions, index: calls.length }
      calls.push(call)
      const promptTokens = countPromptTokens(messages)
      if (contextWindow !== undefined && promptTokens + callOptions.maxTokens > contextWindow) {
        throw new OverlongPromptError({
          code: 'chat/overlong-prompt',
          message: `A prompt of ${promptTokens} tokens and ${callOptions.maxTokens} of output do not fit the window of ${contextWindow}`,
          details: { promptTokens, maxTokens: callOptions.maxTokens, contextWindow },
        })
      }
      const { signal } = callOptions
      const given = typeof script === 'function' ? script(call) : nextReply(script, call.index)
      const reply = given instanceof Promise && signal ? await untilAborted(given, signal) : await given
      if (reply instanceof Error) throw reply
      return complete(
        typeof reply === 'string' ? { text: reply } : reply,
        promptTokens,
        callOptions.maxTokens,
      )
    },

    async describe() {
      return { model: options.name ?? 'scripted', contextWindow }
    },
  }

  function nextReply(replies: readonly ScriptedReply[], index: number): ScriptedReply {
    const reply = replies[index]
    if (reply !== undefined) return reply
    throw new ChatError({
      code: 'scripted/dry',
      message: `The script has ${replies.length} replies, and this is call ${index + 1}`,
    })
  }

  /** Fills in what the script leaves out; a text of more than maxTokens words is cut, as a model's would be. */
  function complete(reply: Partial<ChatResult>, promptTokens: number, maxTokens: number): ChatResult {
    const whole = reply.text ?? ''
    const isCut = reply.finishReason === undefined && count(whole) > maxTokens
    const text = isCut ? longestPrefix(whole, maxTokens) : whole
    return {
      ...reply,
      text,
      usage: 'usage' in reply ? reply.usage : { promptTokens, completionTokens: count(text) },
      finishReason: reply.finishReason ?? { unified: isCut ? 'length' : 'stop', raw: undefined },
    }
  }

  function longestPrefix(text: string, maxTokens: number): string {
    let prefix = ''
    for (const word of words(text)) {
      if (count(prefix + word) > maxTokens) break
      prefix += word
    }
    return prefix
  }
}

function words(text: string): string[] {
  // White space at the end would take quadratic time.
  return text.trimEnd().match(/\s*\S+/g) ?? []
}
