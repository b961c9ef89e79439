/** Counts calls, tokens and model time of an answer. */
import type { ChatModel, ModelDescription } from '@memagent/core'
import type { MethodUsage } from '../method.ts'

/** Cached so that a server is asked for its window once, not for every question. */
const descriptions = new WeakMap<ChatModel, ModelDescription>()

export class Meter {
  /** Counts every call of the model it wraps. */
  readonly model: ChatModel
  readonly #now: () => number
  #calls = 0
  #promptTokens = 0
  #completionTokens = 0
  #embeddedTokens: number | undefined
  #modelMs = 0
  #underWay = 0
  #sinceMs = 0

  /** @param now milliseconds. @default performance.now */
  constructor(model: ChatModel, now: () => number = () => performance.now()) {
    this.#now = now
    const { countPromptTokens } = model
    this.model = {
      name: model.name,
      tokenizer: model.tokenizer,
      profile: model.profile,
      ...(countPromptTokens && { countPromptTokens: (messages) => model.countPromptTokens!(messages) }),
      ...(model.describe && { describe: (signal) => describeOnce(model, signal) }),
      generate: async (messages, options) => {
        this.#calls++
        const result = await this.time(() => model.generate(messages, options))
        this.#promptTokens += result.usage?.promptTokens ?? Number.NaN
        this.#completionTokens += result.usage?.completionTokens ?? Number.NaN
        return result
      },
    }
  }

  /** Runs a model call and adds its time; overlapping calls count shared time once. */
  async time<T>(call: () => Promise<T>): Promise<T> {
    if (this.#underWay++ === 0) this.#sinceMs = this.#now()
    try {
      return await call()
    } finally {
      if (--this.#underWay === 0) this.#modelMs += this.#now() - this.#sinceMs
    }
  }

  addEmbedded(tokens: number): void {
    this.#embeddedTokens = (this.#embeddedTokens ?? 0) + tokens
  }

  get usage(): MethodUsage {
    return {
      calls: this.#calls,
      promptTokens: this.#promptTokens,
      completionTokens: this.#completionTokens,
      ...(this.#embeddedTokens === undefined ? {} : { embeddedTokens: this.#embeddedTokens }),
      modelMs: this.#modelMs,
    }
  }
}

async function describeOnce(model: ChatModel, signal: AbortSignal | undefined): Promise<ModelDescription> {
  const known = descriptions.get(model)
  if (known) return known
  const description = await model.describe!(signal)
  descriptions.set(model, description)
  return description
}
